#include "theory/bound.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace phe::theory {

namespace {

ParameterNorm norm_for(Reading reading, const Setting& setting) {
  if (reading == Reading::unshifted) {
    double squares = 0;
    for (const double x : setting.theta) squares += x * x;
    return ParameterNorm::fixed(std::sqrt(squares));
  }
  return ParameterNorm::shifted(setting.theta, setting.geometry.shift);
}

// The lambda <= Table 1's with the smallest bound, by golden section on its logarithm. A smaller
// lambda lowers sqrt(lambda) L* and raises the logarithms.
double best_ridge(double rounds, const Geometry& geometry, const ParameterNorm& norm) {
  const auto bound = [&](double log_lambda) {
    const double lambda = std::exp(log_lambda);
    const auto a = solve_scale(rounds, geometry, norm, lambda);
    if (!a) return std::numeric_limits<double>::infinity();
    return regret_bound(constants_at(rounds, geometry, norm, lambda, *a));
  };
  constexpr double ratio = 0.6180339887498949;
  const double largest = largest_ridge(rounds, geometry, norm);
  double high = std::log(largest);
  double low = high - 30;
  double left = high - ratio * (high - low);
  double right = low + ratio * (high - low);
  while (high - low > 1e-3) {
    if (bound(left) <= bound(right)) {
      high = right;
      right = left;
      left = high - ratio * (high - low);
    } else {
      low = left;
      left = right;
      right = low + ratio * (high - low);
    }
  }
  const double found = 0.5 * (low + high);
  return bound(found) <= bound(std::log(largest)) ? std::exp(found) : largest;
}

}  // namespace

const char* name_of(Reading reading) noexcept {
  switch (reading) {
    case Reading::as_written:
      return "as written";
    case Reading::unshifted:
      return "unshifted";
    case Reading::smaller_ridge:
      return "smaller λ";
  }
  return "";
}

Result<Setting> setting_of(const Arms& arms, std::span<const double> means) {
  auto geometry = geometry_of(arms);
  if (!geometry) return geometry.error();
  auto theta = parameter_of(arms, means);
  if (!theta) return theta.error();
  return Setting{std::move(geometry).value(), std::move(theta).value()};
}

std::optional<Constants> table_1(Reading reading, double rounds, const Setting& setting) {
  const Geometry& geometry = setting.geometry;
  if (reading != Reading::unshifted && geometry.shift.empty()) return std::nullopt;
  const ParameterNorm norm = norm_for(reading, setting);
  const double lambda = reading == Reading::smaller_ridge ? best_ridge(rounds, geometry, norm)
                                                          : geometry.table_ridge();
  const auto a = solve_scale(rounds, geometry, norm, lambda);
  if (!a) return std::nullopt;
  return constants_at(rounds, geometry, norm, lambda, *a);
}

double regret_bound(const Constants& c) noexcept {
  if (!(c.p3 > c.p2)) return std::numeric_limits<double>::infinity();
  return (c.c1 + c.c2) * (1 + 2 / (c.p3 - c.p2)) * std::sqrt(c.c3 * c.rounds) +
         (c.p1 + c.p2) * c.rounds + c.dimension;
}

double least_rounds(const Constants& c) noexcept {
  return std::max(34.0, 8 * std::sqrt(2.0) * c.c1);
}

std::vector<std::string> objections(const Constants& c) {
  std::vector<std::string> said;
  if (!(c.rounds > least_rounds(c)))
    said.push_back(fmt::format("the theorem does not apply: it needs n > max(34, 8√2·c₁) = {:.0f}",
                               least_rounds(c)));
  if (!(c.p3 > c.p2))
    said.push_back(
        fmt::format("there is no bound: p₃ = {:.3g} is not above p₂ = {:.3g}", c.p3, c.p2));
  else if (const double bound = regret_bound(c); bound >= c.rounds)
    said.push_back(
        fmt::format("the bound says nothing: {:.3g} is {:.3g} times n, and regret is "
                    "never above n",
                    bound, bound / c.rounds));
  if (c.c1 < 1 || c.c2 < 1) said.emplace_back("the theorem does not apply: it needs c₁, c₂ ≥ 1");
  return said;
}

std::optional<double> first_informative_round(Reading reading, const Setting& setting) {
  const auto informative = [&](double rounds) {
    const auto constants = table_1(reading, rounds, setting);
    return constants && regret_bound(*constants) < rounds;
  };
  double high = 35;
  while (high < 1e30 && !informative(high)) high *= 2;
  if (high >= 1e30) return std::nullopt;
  double low = high / 2;
  while (high - low > 1 && high / low > 1.0001) {
    const double middle = std::floor(0.5 * (low + high));
    (informative(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace phe::theory
