// What happens, on standard error: a line each, an event with its fields. As text,
//
//   2026-11-18T04:05:26.123Z info stopping connections=5
//
// or as JSON, {"time":..,"level":"info","event":"stopping","connections":5}. Never keys, bodies or
// ids.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace phe::serve::app {

enum class Level { debug, info, warn, error };
enum class LogForm { text, json };

struct Field {
  std::string_view name;
  std::variant<std::int64_t, std::string> value;
};

// Once, before anything is logged. False where `level` is not one.
bool start_logging(std::string_view level, LogForm form);
bool logs(Level level) noexcept;
void log(Level level, std::string_view event, std::initializer_list<Field> fields = {});

// The line itself, for tests.
std::string log_line(LogForm form, Level level, std::string_view time, std::string_view event,
                     std::initializer_list<Field> fields);

}  // namespace phe::serve::app
