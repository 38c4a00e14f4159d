// Table 1 of the paper: the constants of the analysis of LinPHE, and the circle in them.
//
// The analysis shifts theta* so that x_i^T theta* = mu_i + a/2. L* = |theta*| then grows with a, c1
// contains sqrt(lambda) L*, and a = ceil(16 c1^2): Table 1 defines a by itself. 16 c1(a)^2 is
// convex in a and grows like 4 lambda |s|^2 a^2, so a whole a >= 16 c1(a)^2 exists only when lambda
// is small enough. What is proved needs no more than lambda <= lambda_min(G_{d+1}) / 4, so a
// smaller lambda than Table 1's is allowed; and with centred pseudo-rewards nothing is shifted.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "phe/arms.hpp"
#include "phe/result.hpp"

namespace phe::theory {

// What Table 1 needs to know of the arms.
struct Geometry {
  double arms = 0;              // K
  double dimension = 0;         // d
  double largest_norm = 0;      // L = max |x_i|
  double basis_eigenvalue = 0;  // lambda_min(sum_{l <= d} X_l X_l^T) of the d initial pulls
  std::vector<double> shift;    // s with x_i^T s = 1 for every arm; empty when there is none
  double shift_norm = 0;        // |s|

  // lambda = lambda_min(G_{d+1}) / 4, and G_{d+1} contains lambda I.
  [[nodiscard]] double table_ridge() const noexcept { return basis_eigenvalue / 3; }
};

// Fails when the arms do not span R^d.
Result<Geometry> geometry_of(const Arms& arms);

// theta with x_i^T theta = means[i]; fails when the means are not linear in the features.
Result<std::vector<double>> parameter_of(const Arms& arms, std::span<const double> means);

// L*(a) = |theta + (a/2) s|, as sqrt(square + cross a + quarter a^2).
struct ParameterNorm {
  double square = 0;   // |theta|^2
  double cross = 0;    // theta^T s
  double quarter = 0;  // |s|^2 / 4

  [[nodiscard]] double at(double a) const noexcept;

  // The unshifted reading: L* = |theta|, or a bound on it.
  static ParameterNorm fixed(double norm) noexcept { return {norm * norm, 0, 0}; }
  static ParameterNorm shifted(std::span<const double> theta, std::span<const double> s) noexcept;
  // The largest that L*(a) can be when only |theta| <= norm is known.
  static ParameterNorm shifted_at_most(double norm, double shift_norm) noexcept;
};

// |theta| is at most this when all means lie in [0, 1]: the basis B has B theta = mu, so
// |theta| <= |B^-1| sqrt(d).
double norm_bound(const Geometry& geometry) noexcept;

struct Constants {
  double rounds = 0;     // n
  double arms = 0;       // K
  double dimension = 0;  // d
  double L = 0;
  double L_star = 0;
  double lambda = 0;
  double a = 0;
  double c1 = 0;
  double c2 = 0;
  double c3 = 0;
  double p1 = 0;
  double p2 = 0;
  double p3 = 0;
};

// Lemma 5: 1/2 sqrt(d log((1 + n L^2 / (d lambda)) / delta)) + sqrt(lambda) L*. Table 1 has
// delta = 1/n.
double c1_of(double rounds, const Geometry& geometry, double lambda, double L_star, double delta);
// Lemma 3: 2 d log(1 + n L^2 / (d lambda)).
double c3_of(double rounds, const Geometry& geometry, double lambda);
// Lemma 6: 2 exp(-2 c^2 / a), a bound on a two-sided tail.
double concentration_bound(double c, double a);
// Lemma 7: (1 - ratio - 4 c^2 / a - 8 a / n^3) / (16 log n), ratio = lambda / lambda_min(G_{d+1}).
double anti_concentration_bound(double rounds, double ridge_ratio, double c, double a);

// Everything in Table 1 but the choice of lambda and a, which may be any.
Constants constants_at(double rounds, const Geometry& geometry, const ParameterNorm& norm,
                       double lambda, double a);

// The smallest whole a with a >= 16 c1(a)^2, which is the solution of a = ceil(16 c1^2); nothing
// when there is none.
std::optional<double> solve_scale(double rounds, const Geometry& geometry,
                                  const ParameterNorm& norm, double lambda);

// The largest lambda, at most Table 1's, for which solve_scale finds an a.
double largest_ridge(double rounds, const Geometry& geometry, const ParameterNorm& norm);

}  // namespace phe::theory
