#include "tune/family.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/elementary.hpp"
#include "spec/grid.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::tune {

namespace {

constexpr std::string_view dots = "..";

Error bad_range(std::string_view text, std::string_view key, std::string_view value,
                std::string_view rule) {
  return invalid("policy {}: the range {}={} {}; write {}=LOW..HIGH with 0 < LOW < HIGH", text, key,
                 value, rule, key);
}

Result<Range> range_of(std::string_view text, const std::string& key, std::string_view value) {
  const auto at = value.find(dots);
  const auto low = parse_number<double>(trim(value.substr(0, at)));
  const auto high = parse_number<double>(trim(value.substr(at + dots.size())));
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high))
    return bad_range(text, key, value, "is not of two numbers");
  if (*low == *high) return bad_range(text, key, value, "is empty");
  if (*low > *high) return bad_range(text, key, value, "is reversed");
  if (!(*low > 0)) return bad_range(text, key, value, "begins at 0 or below");
  return Range{key, *low, *high};
}

Result<Family> family_of(const std::string& text) {
  Family family{.text = text, .name = std::string(name_of(text)), .items = {}, .ranges = {}};
  auto items = items_of(text);
  if (!items) return invalid("policy {}: a value in quotes must end with its quote", text);
  family.items = std::move(*items);
  for (const auto& [key, value] : family.items) {
    if (!value || value->find(dots) == std::string::npos) continue;
    auto range = range_of(text, key, *value);
    if (!range) return range.error();
    family.ranges.push_back(std::move(range).value());
  }
  return family;
}

Result<void> check(const std::string& spec, const Registry& registry, const FileLocator& locate,
                   const PolicyContext& context) {
  const auto policy = registry.policy(spec, locate);
  if (!policy) return policy.error();
  if (auto made = policy->make(context); !made) return made.error();
  return {};
}

}  // namespace

std::string Range::value_at(double place) const {
  const double from = kernels::log(low);
  const double value = kernels::exp(from + place * (kernels::log(high) - from));
  if (whole) return fmt::format("{}", std::clamp(std::round(value), std::ceil(low), high));
  std::string text = fmt::format("{:.3g}", value);
  const double rounded = parse_number<double>(text).value_or(value);
  if (rounded < low || place <= 0.0) return fmt::format("{}", low);
  if (rounded > high || place >= 1.0) return fmt::format("{}", high);
  return fmt::format("{}", rounded);
}

std::string Family::spec_at(const Place& place) const {
  std::string spec = name;
  char mark = ':';
  auto range = ranges.begin();
  for (const auto& [key, value] : items) {
    spec += mark + key;
    mark = ',';
    if (!value) continue;
    const bool varies = range != ranges.end() && range->key == key;
    spec += '=' + (varies ? range->value_at(place[static_cast<std::size_t>(range - ranges.begin())])
                          : spec_value(*value));
    if (varies) ++range;
  }
  return spec;
}

Result<std::vector<Family>> families_of(std::string_view text) {
  const auto specs = expand_grid("policy", text);
  if (!specs) return specs.error();
  std::vector<Family> families;
  for (const std::string& spec : specs.value()) {
    auto family = family_of(spec);
    if (!family) return family.error();
    families.push_back(std::move(family).value());
  }
  return families;
}

Result<void> settle(Family& family, const Registry& registry, const FileLocator& locate,
                    const PolicyContext& context) {
  const Place lowest(family.ranges.size(), 0.0);
  const Place highest(family.ranges.size(), 1.0);
  const auto made = [&](const Place& place) {
    return check(family.spec_at(place), registry, locate, context);
  };
  for (std::size_t i = 0; i < family.ranges.size(); ++i) {
    // A key that takes whole numbers refuses one a little above a bound, and takes the bound.
    Range& range = family.ranges[i];
    const Range as_typed = range;
    range.low = std::floor(range.low) + 0.5;
    if (made(lowest)) {
      range = as_typed;
      continue;
    }
    range = as_typed;
    range.whole = true;
    if (!made(lowest)) range.whole = false;
  }
  if (auto done = made(lowest); !done) return done;
  return made(highest);
}

}  // namespace phe::tune
