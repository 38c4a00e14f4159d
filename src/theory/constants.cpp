#include "theory/constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "support/error.hpp"

namespace phe::theory {

namespace {

constexpr double linear_tolerance = 1e-9;  // of a mean reward in [0, 1]

Eigen::MatrixXd rows_of(const Arms& arms) {
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(arms.size()),
                       static_cast<Eigen::Index>(arms.dimension()));
  for (Eigen::Index k = 0; k < rows.rows(); ++k)
    for (Eigen::Index j = 0; j < rows.cols(); ++j)
      rows(k, j) = arms.at(static_cast<ArmId>(k), static_cast<std::size_t>(j));
  return rows;
}

std::vector<double> to_vector(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

// theta with X theta = targets, or nothing.
std::optional<Eigen::VectorXd> exact_solution(const Eigen::MatrixXd& rows,
                                              const Eigen::VectorXd& targets) {
  const Eigen::VectorXd theta = rows.colPivHouseholderQr().solve(targets);
  if (!((rows * theta - targets).cwiseAbs().maxCoeff() <= linear_tolerance)) return std::nullopt;
  return theta;
}

// s with x_i^T s = 1: the bias feature when there is one.
std::vector<double> shift_of(const Eigen::MatrixXd& rows) {
  if ((rows.col(rows.cols() - 1).array() == 1.0).all())
    return to_vector(Eigen::VectorXd::Unit(rows.cols(), rows.cols() - 1));
  const auto s = exact_solution(rows, Eigen::VectorXd::Ones(rows.rows()));
  return s ? to_vector(*s) : std::vector<double>{};
}

double norm_of(std::span<const double> v) {
  double squares = 0;
  for (const double x : v) squares += x * x;
  return std::sqrt(squares);
}

// 16 c1(a)^2 - a and its slope. Convex, as the square of a convex function >= 0.
struct Excess {
  double free_part;  // of c1: what does not depend on a
  double lambda;
  ParameterNorm norm;

  [[nodiscard]] double at(double a) const {
    const double c1 = free_part + std::sqrt(lambda) * norm.at(a);
    return 16 * c1 * c1 - a;
  }
  [[nodiscard]] double slope(double a) const {
    const double L_star = norm.at(a);
    const double c1 = free_part + std::sqrt(lambda) * L_star;
    const double growth = norm.cross + 2 * norm.quarter * a;  // of L*^2
    if (growth == 0) return -1;
    return 32 * c1 * std::sqrt(lambda) * growth / (2 * L_star) - 1;
  }
};

// The end of [low, high] up to which `below` holds, for a condition that turns false once.
template <class Condition>
double last_true(double low, double high, Condition below) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (below(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

Result<Geometry> geometry_of(const Arms& arms) {
  if (arms.empty()) return invalid("the analysis is of fixed arms, and this problem has contexts");
  const auto basis = arms.basis();
  if (!basis) return basis.error();
  const Eigen::MatrixXd rows = rows_of(arms);
  Eigen::MatrixXd initial(rows.cols(), rows.cols());
  for (Eigen::Index i = 0; i < rows.cols(); ++i)
    initial.row(i) = rows.row(basis.value()[static_cast<std::size_t>(i)]);
  const double smallest = initial.jacobiSvd().singularValues().minCoeff();
  Geometry geometry;
  geometry.arms = static_cast<double>(arms.size());
  geometry.dimension = static_cast<double>(arms.dimension());
  geometry.largest_norm = rows.rowwise().norm().maxCoeff();
  geometry.basis_eigenvalue = smallest * smallest;
  geometry.shift = shift_of(rows);
  geometry.shift_norm = norm_of(geometry.shift);
  return geometry;
}

Result<std::vector<double>> parameter_of(const Arms& arms, std::span<const double> means) {
  const Eigen::Map<const Eigen::VectorXd> mu(means.data(), static_cast<Eigen::Index>(means.size()));
  const auto theta = exact_solution(rows_of(arms), mu);
  if (!theta)
    return invalid(
        "the mean rewards are not linear in the features: no theta has x'theta = mu for every arm "
        "(the analysis is of a linear bandit)");
  return to_vector(*theta);
}

double ParameterNorm::at(double a) const noexcept {
  return std::sqrt(std::max(0.0, square + a * (cross + a * quarter)));
}

ParameterNorm ParameterNorm::shifted(std::span<const double> theta,
                                     std::span<const double> s) noexcept {
  ParameterNorm norm;
  for (std::size_t j = 0; j < theta.size(); ++j) {
    norm.square += theta[j] * theta[j];
    norm.cross += theta[j] * s[j];
    norm.quarter += s[j] * s[j] / 4;
  }
  return norm;
}

ParameterNorm ParameterNorm::shifted_at_most(double norm, double shift_norm) noexcept {
  return {norm * norm, norm * shift_norm, shift_norm * shift_norm / 4};
}

double norm_bound(const Geometry& geometry) noexcept {
  return std::sqrt(geometry.dimension / geometry.basis_eigenvalue);
}

double c1_of(double rounds, const Geometry& geometry, double lambda, double L_star, double delta) {
  const double d = geometry.dimension;
  const double L = geometry.largest_norm;
  return 0.5 * std::sqrt(d * (std::log1p(rounds * L * L / (d * lambda)) - std::log(delta))) +
         std::sqrt(lambda) * L_star;
}

double c3_of(double rounds, const Geometry& geometry, double lambda) {
  const double d = geometry.dimension;
  const double L = geometry.largest_norm;
  return 2 * d * std::log1p(rounds * L * L / (d * lambda));
}

double concentration_bound(double c, double a) { return 2 * std::exp(-2 * c * c / a); }

double anti_concentration_bound(double rounds, double ridge_ratio, double c, double a) {
  return (1 - ridge_ratio - 4 * c * c / a - 8 * a * std::pow(rounds, -3)) / (16 * std::log(rounds));
}

Constants constants_at(double rounds, const Geometry& geometry, const ParameterNorm& norm,
                       double lambda, double a) {
  Constants c;
  c.rounds = rounds;
  c.arms = geometry.arms;
  c.dimension = geometry.dimension;
  c.L = geometry.largest_norm;
  c.L_star = norm.at(a);
  c.lambda = lambda;
  c.a = a;
  c.p1 = 1 / rounds;
  c.p2 = 1 / (rounds * rounds);
  c.c1 = c1_of(rounds, geometry, lambda, c.L_star, c.p1);
  c.c2 = std::sqrt(a * std::log(std::sqrt(2 * c.arms) * rounds));
  c.c3 = c3_of(rounds, geometry, lambda);
  c.p3 = (0.5 - 128 * c.c1 * c.c1 * std::pow(rounds, -3)) / (16 * std::log(rounds));
  return c;
}

std::optional<double> solve_scale(double rounds, const Geometry& geometry,
                                  const ParameterNorm& norm, double lambda) {
  const Excess excess{c1_of(rounds, geometry, lambda, 0, 1 / rounds), lambda, norm};
  if (norm.cross == 0 && norm.quarter == 0) return std::ceil(excess.at(0));
  // excess is positive at 0 and convex. Its lowest point, then its first zero, then whole numbers.
  double far = 1;
  while (excess.slope(far) < 0 && std::isfinite(far)) far *= 2;
  if (!std::isfinite(far)) return std::nullopt;
  const double lowest = last_true(0, far, [&](double a) { return excess.slope(a) < 0; });
  if (excess.at(lowest) > 0) return std::nullopt;
  const double zero = last_true(0, lowest, [&](double a) { return excess.at(a) > 0; });
  // Rounding may leave the zero a little off.
  for (const int step : {0, 1, 2})
    if (const double a = std::floor(zero) + step; excess.at(a) <= 0) return a;
  return std::nullopt;
}

double largest_ridge(double rounds, const Geometry& geometry, const ParameterNorm& norm) {
  const auto admits = [&](double lambda) {
    return solve_scale(rounds, geometry, norm, lambda).has_value();
  };
  double low = geometry.table_ridge();
  if (admits(low)) return low;
  // lambda c1^2 -> 0 with lambda, so halving ends.
  double high = low;
  while (!admits(low)) {
    high = low;
    low /= 2;
  }
  return last_true(low, high, admits);
}

}  // namespace phe::theory
