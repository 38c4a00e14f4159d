#include "log.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "serve/clock.hpp"
#include "serve/configuration.hpp"
#include "serve/json_text.hpp"

namespace phe::serve::app {

namespace {

constexpr std::array<std::string_view, 4> level_names{"debug", "info", "warn", "error"};

Level lowest = Level::info;
LogForm used_form = LogForm::text;

std::string_view name_of(Level level) { return level_names[static_cast<std::size_t>(level)]; }

void append_value(const Field& field, bool quoted, std::string& line) {
  if (const auto* number = std::get_if<std::int64_t>(&field.value))
    line += std::to_string(*number);
  else if (const std::string& text = std::get<std::string>(field.value);
           quoted || text.find_first_of(" =\"\n") != text.npos)
    append_json(text, line);
  else
    line += text;
}

}  // namespace

bool start_logging(std::string_view level, LogForm form) {
  const auto at = std::ranges::find(level_names, level);
  if (at == level_names.end()) return false;
  lowest = static_cast<Level>(at - level_names.begin());
  used_form = form;
  return true;
}

bool logs(Level level) noexcept { return level >= lowest; }

std::string log_line(LogForm form, Level level, std::string_view time, std::string_view event,
                     std::initializer_list<Field> fields) {
  if (form == LogForm::text) {
    std::string line = fmt::format("{} {} {}", time, name_of(level), event);
    for (const Field& field : fields) {
      line += fmt::format(" {}=", field.name);
      append_value(field, false, line);
    }
    return line + '\n';
  }
  std::string line = fmt::format(R"({{"time":"{}","level":"{}","event":)", time, name_of(level));
  append_json(event, line);
  for (const Field& field : fields) {
    line += fmt::format(R"(,"{}":)", field.name);
    append_value(field, true, line);
  }
  return line + "}\n";
}

// One write per line: those of several threads do not mix.
void log(Level level, std::string_view event, std::initializer_list<Field> fields) {
  if (!logs(level)) return;
  const std::string line = log_line(used_form, level, time_text(Clock::wall()), event, fields);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace phe::serve::app
