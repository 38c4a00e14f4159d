#include "record/journal_line.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "support/crc32.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

constexpr std::string_view header_start = "phe-runs ";
constexpr std::string_view run_start = "run ";

std::string sealed(const std::string& text) {
  return fmt::format("{} #{:08x}\n", text, crc32(text));
}

// The text before the checksum, if that is right.
std::optional<std::string_view> unsealed(std::string_view line) {
  const auto mark = line.rfind(" #");
  if (mark == std::string_view::npos) return std::nullopt;
  const auto text = line.substr(0, mark);
  if (line.substr(mark + 2) != fmt::format("{:08x}", crc32(text))) return std::nullopt;
  return text;
}

// Reads the numbers of a line one by one.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }

  template <class Number>
  bool next(Number& into) {
    const auto end = text_.find(' ');
    const auto number = parse_number<Number>(text_.substr(0, end));
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    if (number) into = *number;
    return number.has_value();
  }

 private:
  std::string_view text_;
};

}  // namespace

std::string encode(const JournalHeader& header) {
  return sealed(fmt::format("{}{} {}", header_start, journal_format, dumped(to_json(header))));
}

std::string encode(const RunResult& run) {
  const auto& [problem, policy, instance] = run.id;
  return sealed(fmt::format("{}{} {} {} {} {}", run_start, problem, policy, instance, run.seconds,
                            fmt::join(run.regret, " ")));
}

std::optional<std::uint64_t> format_of_header(std::string_view line) {
  const auto text = unsealed(line);
  if (!text || !text->starts_with(header_start)) return std::nullopt;
  const auto rest = text->substr(header_start.size());
  return parse_number<std::uint64_t>(rest.substr(0, rest.find(' ')));
}

std::optional<JournalHeader> decode_header(std::string_view line) {
  if (format_of_header(line) != journal_format) return std::nullopt;
  const auto text = unsealed(line)->substr(header_start.size());
  const auto json = text.substr(std::min(text.find(' '), text.size()));
  return header_from_json(Json::parse(json, nullptr, false));
}

std::optional<RunResult> decode_run(std::string_view line) {
  const auto text = unsealed(line);
  if (!text || !text->starts_with(run_start)) return std::nullopt;
  Words words(text->substr(run_start.size()));
  RunResult run;
  if (!words.next(run.id.problem) || !words.next(run.id.policy) || !words.next(run.id.instance) ||
      !words.next(run.seconds))
    return std::nullopt;
  while (!words.empty())
    if (!words.next(run.regret.emplace_back())) return std::nullopt;
  return run;
}

}  // namespace phe
