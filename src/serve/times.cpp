// Durations and times in the forms of the API.
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "serve/configuration.hpp"
#include "support/error.hpp"

namespace phe::serve {

namespace {

// Takes a number off the front of `text`.
std::optional<double> take_number(std::string_view& text) {
  double value = 0.0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || !(value >= 0.0 && value < 1e9)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// P1DT2H3M4.5S, without years, months and weeks.
std::optional<double> iso_duration(std::string_view text) {
  if (!text.starts_with('P') || text.size() < 3) return std::nullopt;
  text.remove_prefix(1);
  double total = 0.0;
  bool time = false;
  while (!text.empty()) {
    if (text.starts_with('T')) {
      time = true;
      text.remove_prefix(1);
    }
    const auto value = take_number(text);
    if (!value || text.empty()) return std::nullopt;
    const char unit = text[0];
    text.remove_prefix(1);
    if (!time && unit == 'D')
      total += *value * double(day);
    else if (time && unit == 'H')
      total += *value * 60 * double(minute);
    else if (time && unit == 'M')
      total += *value * double(minute);
    else if (time && unit == 'S')
      total += *value * double(second);
    else
      return std::nullopt;
  }
  return total;
}

// [d.]hh:mm:ss[.fff].
std::optional<double> clock_duration(std::string_view text) {
  double days = 0.0;
  if (const auto dot = text.find('.'); dot < text.find(':')) {
    std::string_view part = text.substr(0, dot);
    const auto value = take_number(part);
    if (!value || !part.empty()) return std::nullopt;
    days = *value;
    text.remove_prefix(dot + 1);
  }
  double total = 0.0;
  for (int part = 0; part < 3; ++part) {
    if (part > 0 && !text.starts_with(':')) return std::nullopt;
    if (part > 0) text.remove_prefix(1);
    const auto value = take_number(text);
    if (!value || (part > 0 && *value >= 60.0)) return std::nullopt;
    total = total * 60 + *value;
  }
  if (!text.empty()) return std::nullopt;
  return days * double(day) + total * double(second);
}

}  // namespace

Result<std::int64_t> parse_duration(std::string_view text) {
  auto milliseconds = iso_duration(text);
  if (!milliseconds) milliseconds = clock_duration(text);
  if (!milliseconds || *milliseconds > 1e15)
    return invalid("a duration must be like PT10M or 00:10:00, got '{}'", text);
  return std::llround(*milliseconds);
}

std::string duration_text(std::int64_t milliseconds, DurationForm form) {
  const std::int64_t days = milliseconds / day;
  const std::int64_t hours = milliseconds / (60 * minute) % 24;
  const std::int64_t minutes = milliseconds / minute % 60;
  const double seconds = double(milliseconds % minute) / double(second);
  if (form == DurationForm::clock)
    return (days > 0 ? fmt::format("{}.", days) : "") +
           (milliseconds % second == 0
                ? fmt::format("{:02}:{:02}:{:02}", hours, minutes, milliseconds / second % 60)
                : fmt::format("{:02}:{:02}:{:06.3f}", hours, minutes, seconds));
  std::string text = days > 0 ? fmt::format("P{}D", days) : "P";
  if (days > 0 && milliseconds % day == 0) return text;
  text += 'T';
  if (hours > 0) text += fmt::format("{}H", hours);
  if (minutes > 0) text += fmt::format("{}M", minutes);
  if (milliseconds % minute != 0 || milliseconds == 0) text += fmt::format("{}S", seconds);
  return text;
}

std::string time_text(std::int64_t milliseconds) {
  namespace c = std::chrono;
  const c::sys_time<c::milliseconds> time{c::milliseconds(milliseconds)};
  const auto date = c::floor<c::days>(time);
  const c::year_month_day ymd(date);
  const c::hh_mm_ss clock(time - date);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", int(ymd.year()),
                     unsigned(ymd.month()), unsigned(ymd.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

Result<std::int64_t> parse_time(std::string_view text) {
  namespace c = std::chrono;
  int year = 0, month = 0, date = 0, hour = 0, minutes = 0, used = 0;
  double seconds = 0.0;
  const std::string copy(text);
  const int fields = std::sscanf(copy.c_str(), "%4d-%2d-%2dT%2d:%2d:%lf%n", &year, &month, &date,
                                 &hour, &minutes, &seconds, &used);
  const c::year_month_day ymd{c::year(year), c::month(static_cast<unsigned>(month)),
                              c::day(static_cast<unsigned>(date))};
  const std::string_view zone = fields == 6 ? text.substr(static_cast<std::size_t>(used)) : "?";
  if (fields != 6 || !ymd.ok() || (zone != "Z" && !zone.empty() && zone != "+00:00") || hour > 23 ||
      minutes > 59 || !(seconds >= 0.0 && seconds < 61.0))
    return invalid("a time must be like 2026-11-18T04:05:26Z, got '{}'", text);
  return c::sys_days(ymd).time_since_epoch() / c::milliseconds(1) + hour * 60 * minute +
         minutes * minute + std::llround(seconds * double(second));
}

}  // namespace phe::serve
