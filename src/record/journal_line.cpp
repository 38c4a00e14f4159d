#include "record/journal_line.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "support/crc32.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

constexpr std::string_view header_start = "phe-runs ";
constexpr std::string_view run_start = "run ";
constexpr std::string_view reward_word = "reward";
constexpr std::string_view best_pulls_word = "best_pulls";

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

  std::string_view word() {
    const auto end = text_.find(' ');
    const auto word = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    return word;
  }

  template <class Number>
  bool next(Number& into) {
    const auto number = parse_number<Number>(word());
    if (number) into = *number;
    return number.has_value();
  }

  // Numbers up to the next word that is none.
  template <class Number>
  void numbers(std::vector<Number>& into) {
    for (auto before = text_; !text_.empty(); before = text_) {
      const auto number = parse_number<Number>(word());
      if (!number) {
        text_ = before;
        return;
      }
      into.push_back(*number);
    }
  }

 private:
  std::string_view text_;
};

}  // namespace

std::string encode(const JournalHeader& header) {
  const std::uint64_t format =
      header.experiment.columns.empty() ? oldest_journal_format : journal_format;
  return sealed(fmt::format("{}{} {}", header_start, format, dumped(to_json(header))));
}

std::string encode(const RunResult& run) {
  const auto& [problem, policy, instance] = run.id;
  std::string text = fmt::format("{}{} {} {} {} {}", run_start, problem, policy, instance,
                                 run.seconds, fmt::join(run.regret, " "));
  if (!run.reward.empty()) text += fmt::format(" {} {}", reward_word, fmt::join(run.reward, " "));
  if (!run.best_pulls.empty())
    text += fmt::format(" {} {}", best_pulls_word, fmt::join(run.best_pulls, " "));
  return sealed(text);
}

std::optional<std::uint64_t> format_of_header(std::string_view line) {
  const auto text = unsealed(line);
  if (!text || !text->starts_with(header_start)) return std::nullopt;
  const auto rest = text->substr(header_start.size());
  return parse_number<std::uint64_t>(rest.substr(0, rest.find(' ')));
}

std::optional<JournalHeader> decode_header(std::string_view line) {
  const auto format = format_of_header(line);
  if (!format || *format < oldest_journal_format || *format > journal_format) return std::nullopt;
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
  words.numbers(run.regret);
  while (!words.empty()) {
    const std::string_view column = words.word();
    if (column == reward_word && run.reward.empty())
      words.numbers(run.reward);
    else if (column == best_pulls_word && run.best_pulls.empty())
      words.numbers(run.best_pulls);
    else
      return std::nullopt;
  }
  return run;
}

}  // namespace phe
