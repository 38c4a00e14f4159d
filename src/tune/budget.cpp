#include "tune/budget.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "spec/numbers.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::tune {

namespace {

constexpr std::array<std::pair<std::string_view, double>, 5> units = {
    {{"min", 60.0}, {"ms", 1e-3}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}}};

}  // namespace

std::string Budget::text() const {
  return runs ? fmt::format("{} runs", *runs) : fmt::format("{} s", seconds);
}

Result<Budget> budget_of(std::string_view text) {
  const std::string_view typed = trim(text);
  if (const auto runs = parse_count(typed); runs && *runs > 0) return Budget{*runs};
  for (const auto& [unit, length] : units) {
    if (!typed.ends_with(unit)) continue;
    const auto value = parse_number<double>(trim(typed.substr(0, typed.size() - unit.size())));
    if (value && *value > 0 && std::isfinite(*value)) return Budget{std::nullopt, *value * length};
    break;
  }
  return invalid(
      "--budget must be a number of runs or a time above 0, as 2000, 60s, 10min or 2h, "
      "got '{}'",
      text);
}

}  // namespace phe::tune
