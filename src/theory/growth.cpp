#include "theory/growth.hpp"

#include <cassert>
#include <cmath>

namespace phe::theory {

namespace {

constexpr std::size_t none = ~std::size_t{0};

double log_mean(const std::vector<double>& values, std::size_t left_out = none) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (j == left_out) continue;
    sum += values[j];
    ++count;
  }
  return std::log(sum / static_cast<double>(count));
}

double exponent(std::span<const double> x, const std::vector<std::vector<double>>& regret,
                std::size_t left_out = none) {
  const auto m = static_cast<double>(x.size());
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double log_x = std::log(x[i]);
    const double log_y = log_mean(regret[i], left_out);
    sum_x += log_x;
    sum_y += log_y;
    sum_xx += log_x * log_x;
    sum_xy += log_x * log_y;
  }
  return (m * sum_xy - sum_x * sum_y) / (m * sum_xx - sum_x * sum_x);
}

}  // namespace

Slope fit_slope(std::span<const double> x, const std::vector<std::vector<double>>& regret) {
  assert(x.size() >= 2 && regret.size() == x.size() && !regret[0].empty());
  Slope slope{exponent(x, regret), 0};
  const std::size_t instances = regret[0].size();
  if (instances < 2) return slope;
  std::vector<double> without(instances);
  double mean = 0;
  for (std::size_t j = 0; j < instances; ++j) {
    without[j] = exponent(x, regret, j);
    mean += without[j] / static_cast<double>(instances);
  }
  double squares = 0;
  for (const double b : without) squares += (b - mean) * (b - mean);
  const auto count = static_cast<double>(instances);
  slope.standard_error = std::sqrt((count - 1) / count * squares);
  return slope;
}

std::vector<double> local_slopes(std::span<const double> x,
                                 const std::vector<std::vector<double>>& regret) {
  std::vector<double> slopes;
  for (std::size_t i = 1; i < x.size(); ++i)
    slopes.push_back((log_mean(regret[i]) - log_mean(regret[i - 1])) / std::log(x[i] / x[i - 1]));
  return slopes;
}

}  // namespace phe::theory
