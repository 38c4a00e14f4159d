#include "logs/log_writer.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>
#include <zlib.h>

#include "support/error.hpp"

namespace phe::logs {

namespace {

constexpr std::size_t enough_to_write = std::size_t{1} << 16;

// Shortest digits that read back as the same number.
std::string numbers(std::span<const double> values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

// {"0":..,"1":..}: features have no names here.
std::string named_numbers(std::span<const double> values) {
  std::string text = "{";
  for (std::size_t j = 0; j < values.size(); ++j)
    fmt::format_to(std::back_inserter(text), "{}\"{}\":{}", j == 0 ? "" : ",", j, values[j]);
  return text + '}';
}

}  // namespace

struct LogWriter::File {
  std::string part;
  gzFile gzip = nullptr;

  ~File() {
    if (gzip != nullptr) gzclose_w(gzip);
    std::error_code unknown;
    std::filesystem::remove(part, unknown);
  }
};

LogWriter::LogWriter(std::string name, LogFormat format, std::unique_ptr<File> file)
    : name_(std::move(name)), format_(format), file_(std::move(file)) {}
LogWriter::LogWriter(LogWriter&&) noexcept = default;
LogWriter& LogWriter::operator=(LogWriter&&) noexcept = default;
LogWriter::~LogWriter() = default;

Result<LogWriter> LogWriter::create(const std::string& file) {
  const auto format = format_of(file);
  if (!format || format.value() == LogFormat::csv)
    return invalid("--log must be a file that ends in .jsonl or .dsjson, also with .gz, got '{}'",
                   file);
  auto open = std::make_unique<File>();
  open->part = file + ".part";
  errno = 0;
  // T: as it is, without compression.
  open->gzip = gzopen(open->part.c_str(), file.ends_with(".gz") ? "wb6" : "wbT");
  if (open->gzip == nullptr)
    return invalid("{}: {}", file, std::strerror(errno == 0 ? ENOMEM : errno));
  return LogWriter(file, format.value(), std::move(open));
}

Result<void> LogWriter::write(std::string_view id, const Decision& decision, double reward,
                              bool resampled, const OfferedFeatures& offered) {
  if (format_ == LogFormat::dsjson && resampled)
    return invalid("{}: dsjson has no place for an inverse propensity; write .jsonl", name_);
  if (format_ == LogFormat::dsjson)
    write_dsjson(id, decision, reward, offered);
  else
    write_own(id, decision, reward, resampled, offered);
  return lines_.size() < enough_to_write ? Result<void>() : flush();
}

void LogWriter::write_own(std::string_view id, const Decision& decision, double reward,
                          bool resampled, const OfferedFeatures& offered) {
  const auto out = std::back_inserter(lines_);
  const std::size_t count = decision.probabilities.size();
  fmt::format_to(out, R"({{"id":"{}","action":{},"reward":{})", id, decision.action, reward);
  if (resampled)
    fmt::format_to(out, R"(,"inverse_propensity":{}{},"actions":{})", decision.inverse_propensity,
                   decision.capped ? R"(,"capped":true)" : "", count);
  else
    fmt::format_to(out, R"(,"propensity":{},"probabilities":{})",
                   decision.probabilities[decision.action], numbers(decision.probabilities));
  if (offered.one_context) {
    fmt::format_to(out, R"(,"context":{})", numbers(offered.values));
  } else if (!offered.values.empty()) {
    const std::size_t d = offered.values.size() / count;
    lines_ += R"(,"action_features":[)";
    for (std::size_t k = 0; k < count; ++k)
      fmt::format_to(out, "{}{}", k == 0 ? "" : ",", numbers(offered.values.subspan(k * d, d)));
    lines_ += ']';
  }
  lines_ += "}\n";
}

// The chosen action first, then the others in order.
void LogWriter::write_dsjson(std::string_view id, const Decision& decision, double reward,
                             const OfferedFeatures& offered) {
  const auto out = std::back_inserter(lines_);
  const auto& p = decision.probabilities;
  fmt::format_to(
      out,
      R"({{"_label_cost":{},"_label_probability":{},"_label_Action":{},"_labelIndex":{},)"
      R"("EventId":"{}","Version":"1","a":[{})",
      0.0 - reward, p[decision.action], decision.action + 1, decision.action, id,
      decision.action + 1);
  for (std::size_t k = 0; k < p.size(); ++k)
    if (k != decision.action) fmt::format_to(out, ",{}", k + 1);
  fmt::format_to(out, R"(],"p":[{})", p[decision.action]);
  for (std::size_t k = 0; k < p.size(); ++k)
    if (k != decision.action) fmt::format_to(out, ",{}", p[k]);
  lines_ += R"(],"c":{)";
  if (offered.one_context) fmt::format_to(out, R"("context":{},)", named_numbers(offered.values));
  lines_ += R"("_multi":[)";
  const bool rows = !offered.one_context && !offered.values.empty();
  const std::size_t d = rows ? offered.values.size() / p.size() : 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    lines_ += k == 0 ? "" : ",";
    if (rows)
      fmt::format_to(out, R"({{"x":{}}})", named_numbers(offered.values.subspan(k * d, d)));
    else
      fmt::format_to(out, R"({{"arm":{{"{}":1}}}})", k);
  }
  lines_ += "]}}\n";
}

Result<void> LogWriter::flush() {
  const auto size = static_cast<unsigned>(lines_.size());
  errno = 0;
  if (size > 0 && gzwrite(file_->gzip, lines_.data(), size) != static_cast<int>(size))
    return invalid("{}: cannot be written: {}", name_, std::strerror(errno == 0 ? EIO : errno));
  lines_.clear();
  return {};
}

Result<void> LogWriter::finish() {
  if (auto done = flush(); !done) return done;
  errno = 0;
  const int code = gzclose_w(std::exchange(file_->gzip, nullptr));
  if (code != Z_OK)
    return invalid("{}: cannot be written: {}", name_, std::strerror(errno == 0 ? EIO : errno));
  std::error_code failure;
  std::filesystem::rename(file_->part, name_, failure);
  if (failure) return invalid("{}: {}", name_, failure.message());
  return {};
}

}  // namespace phe::logs
