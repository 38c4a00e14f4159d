// Theorem 1: the bound on the regret of LinPHE, in numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theory/constants.hpp"

namespace phe::theory {

// Three ways to read Table 1 (the circle in it: constants.hpp).
enum class Reading {
  as_written,    // theta* shifted by a/2, lambda = lambda_min(G_{d+1}) / 4
  unshifted,     // L* = |theta*|: proved for centred pseudo-rewards, a practical reading otherwise
  smaller_ridge  // theta* shifted, lambda the one <= Table 1's that makes the bound smallest
};
inline constexpr Reading all_readings[] = {Reading::as_written, Reading::unshifted,
                                           Reading::smaller_ridge};
const char* name_of(Reading reading) noexcept;

// A bandit, as the analysis sees it.
struct Setting {
  Geometry geometry;
  std::vector<double> theta;  // x_i^T theta = mu_i, not shifted
};
Result<Setting> setting_of(const Arms& arms, std::span<const double> means);

// Table 1 at horizon n; nothing when this reading gives no a.
std::optional<Constants> table_1(Reading reading, double rounds, const Setting& setting);

// R(n) <= (c1 + c2) (1 + 2 / (p3 - p2)) sqrt(c3 n) + (p1 + p2) n + d; infinite when p3 <= p2.
double regret_bound(const Constants& constants) noexcept;
// The condition of Theorem 4: n > max(34, 8 sqrt(2) c1).
double least_rounds(const Constants& constants) noexcept;
// What makes the bound say nothing, or not apply, in words; empty when it does say something.
std::vector<std::string> objections(const Constants& constants);

// The smallest n at which the bound is below n, the most that regret can be; nothing up to 1e30.
std::optional<double> first_informative_round(Reading reading, const Setting& setting);

}  // namespace phe::theory
