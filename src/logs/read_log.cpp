#include "logs/read_log.hpp"

#include <algorithm>
#include <memory>

#include "logs/line_parser.hpp"
#include "logs/line_reader.hpp"
#include "support/error.hpp"

namespace phe::logs {

namespace {

constexpr std::size_t most_bad_lines_told = 5;

Result<LogFormat> format_for(const Log& log, const std::string& file) {
  return log.options.format ? *log.options.format : format_of(file);
}

// One pass over a log.
class Pass {
 public:
  Pass(const Log& log, const TakeDecision& take) : log_(log), take_(take) {}

  Result<void> read(const std::string& file);
  [[nodiscard]] ReadCounts& counts() noexcept { return counts_; }

 private:
  Result<LineParser*> parser_for(LineReader& reader);
  Result<LineParser*> csv_parser(LineReader& reader);
  Result<void> read(std::string_view line, LineParser& parser, Decision& decision);
  Result<void> note_bad(const LineReader& reader, const Error& what);
  Result<void> note_features(const LineReader& reader, const LineParser& parser);

  const Log& log_;
  const TakeDecision& take_;
  ReadCounts counts_;
  // A parser of JSON goes on from file to file, and so numbers the features of all alike.
  std::unique_ptr<LineParser> csv_, json_lines_, dsjson_;
};

Result<LineParser*> Pass::csv_parser(LineReader& reader) {
  const auto header = reader.next();
  if (!header) return header.error();
  if (!header.value()) return invalid("{}: is empty, not even a header line", reader.file());
  auto parser = make_csv_parser(*header.value(), log_.options);
  if (!parser) return invalid("{}: {}", reader.file(), parser.error().message);
  csv_ = std::move(parser).value();
  return csv_.get();
}

Result<LineParser*> Pass::parser_for(LineReader& reader) {
  const auto format = format_for(log_, reader.file());
  if (!format) return format.error();
  if (format.value() == LogFormat::csv) return csv_parser(reader);
  const bool own = format.value() == LogFormat::json_lines;
  auto& parser = own ? json_lines_ : dsjson_;
  if (!parser)
    parser = own ? make_json_lines_parser(log_.options) : make_dsjson_parser(log_.options);
  return parser.get();
}

Result<void> Pass::read(std::string_view line, LineParser& parser, Decision& decision) {
  const auto kind = parser.parse(line, decision);
  if (!kind) return kind.error();
  if (kind.value() == LineKind::decision)
    if (auto taken = take_(decision); !taken) return taken;
  counts_.decisions += kind.value() == LineKind::decision;
  counts_.dangling += kind.value() == LineKind::dangling;
  counts_.deferred += kind.value() == LineKind::deferred;
  return {};
}

Result<void> Pass::note_bad(const LineReader& reader, const Error& what) {
  Error bad = invalid("{}, line {}: {}", reader.file(), reader.line_number(), what.message);
  if (!log_.options.skip_bad_lines) return bad;
  if (++counts_.bad <= most_bad_lines_told) counts_.bad_lines.push_back(std::move(bad.message));
  return {};
}

Result<void> Pass::note_features(const LineReader& reader, const LineParser& parser) {
  const auto& names = parser.feature_names();
  const auto& before = counts_.feature_names;
  if (names.size() < before.size() || !std::equal(before.begin(), before.end(), names.begin()))
    return invalid("{}: its features are not those of the files before it", reader.file());
  counts_.feature_names = names;
  return {};
}

Result<void> Pass::read(const std::string& file) {
  auto reader = LineReader::open(file);
  if (!reader) return reader.error();
  const auto parser = parser_for(reader.value());
  if (!parser) return parser.error();
  for (;;) {
    const auto line = reader->next();
    if (!line) return line.error();
    if (!line.value()) return note_features(reader.value(), *parser.value());
    Decision decision;
    decision.file = reader->file();
    decision.line = reader->line_number();
    const auto done = read(*line.value(), *parser.value(), decision);
    if (done) continue;
    if (auto skipped = note_bad(reader.value(), done.error()); !skipped) return skipped;
  }
}

}  // namespace

Result<std::size_t> Log::first_action() const {
  std::size_t first = 0;
  for (const std::string& file : files) {
    const auto format = format_for(*this, file);
    if (!format) return format.error();
    const std::size_t own = format.value() == LogFormat::dsjson ? 1 : 0;
    if (&file != &files.front() && own != first)
      return invalid("{}: dsjson counts its actions from 1, the other files from 0", file);
    first = own;
  }
  return first;
}

Result<ReadCounts> read_log(const Log& log, const TakeDecision& take) {
  Pass pass(log, take);
  for (const std::string& file : log.files)
    if (auto done = pass.read(file); !done) return done.error();
  ReadCounts& counts = pass.counts();
  if (counts.decisions > 0) return std::move(counts);
  return invalid("{}: the log holds no decision{}", fmt::join(log.files, ", "),
                 counts.bad == 0 ? "" : "; " + counts.bad_lines.front());
}

ReadDecisions decisions_of(const Log& log) {
  return [&log](const TakeDecision& take) { return read_log(log, take); };
}

}  // namespace phe::logs
