#include "log_flags.hpp"

#include <cmath>

#include <fmt/format.h>

#include "common_flags.hpp"
#include "output.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::app {

void LogFlags::add_to(CLI::App& command) {
  command.add_option("log", files, "files of the log, in order; also .gz")->type_name("LOG");
  add_format_to(command);
}

void LogFlags::add_format_to(CLI::App& command) {
  const auto option = [&](const char* name, std::optional<std::string>& into, const char* type,
                          const char* meaning) {
    command.add_option(name, into, meaning)->type_name(type);
  };
  option("--format", format, "NAME", "jsonl, csv or dsjson (by the name of each file)");
  option("--columns", columns, "LIST",
         "where the parts stand: action=item_id,reward=click,propensity=p,position=slot,"
         "features=user_*");
  option("--actions", actions, "K", "how many actions there are, where the log does not say");
  option("--bad-lines", bad_lines, "WHAT", "refuse the log, or skip them (refuse)");
  option("--rewards", rewards, "LO,HI", "what a reward can be (0,1)");
}

Result<logs::Log> log_from(const LogFlags& flags) {
  if (flags.files.empty()) return invalid("no log given, for example log.jsonl");
  logs::Log log{flags.files, {}};
  if (flags.format) {
    const auto format = logs::parse_format(*flags.format);
    if (!format) return format.error();
    log.options.format = format.value();
  }
  if (flags.columns) {
    auto columns = logs::parse_columns(*flags.columns);
    if (!columns) return columns.error();
    log.options.columns = std::move(columns).value();
  }
  if (auto done = read_count("--actions", {1, 1'000'000}, flags.actions, log.options.actions);
      !done)
    return done.error();
  const std::string bad_lines = flags.bad_lines.value_or("refuse");
  if (bad_lines != "refuse" && bad_lines != "skip")
    return invalid("--bad-lines must be refuse or skip, got '{}'", bad_lines);
  log.options.skip_bad_lines = bad_lines == "skip";
  if (const auto first = log.first_action(); !first) return first.error();
  return log;
}

Result<RewardRange> rewards_from(const LogFlags& flags) {
  if (!flags.rewards) return RewardRange{};
  const std::string_view text = *flags.rewards;
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto low = parse_number<double>(trim(text.substr(0, comma)));
  const auto high = parse_number<double>(trim(text.substr(std::min(comma + 1, text.size()))));
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || !(*low < *high))
    return invalid("--rewards must be the lowest and the highest reward, as 0,1; got '{}'", text);
  return RewardRange{*low, *high};
}

void tell_skipped(const logs::ReadCounts& lines) {
  for (const std::string& line : lines.bad_lines) tell(line);
  if (lines.bad > 0)
    tell(fmt::format("{} bad lines are left out, {} of them named above", lines.bad,
                     lines.bad_lines.size()));
  if (lines.dangling > 0)
    tell(fmt::format("{} rewards without a decision are left out", lines.dangling));
  if (lines.deferred > 0)
    tell(fmt::format("{} decisions that never took effect are left out", lines.deferred));
}

Result<void> read_positive(const char* flag, const std::optional<std::string>& text, double& into) {
  if (!text) return {};
  const auto value = parse_number<double>(*text);
  if (!value || !std::isfinite(*value) || !(*value > 0.0))
    return invalid("{} must be a number above 0, got '{}'", flag, *text);
  into = *value;
  return {};
}

}  // namespace phe::app
