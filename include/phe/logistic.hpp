// LogisticModel: the offline oracle of Section 3.3, fitted to sufficient statistics.
//
// Arm i has N_i observations, of which P_i are positive. The model minimises
//
//   f(theta) = sum_i N_i log(1 + exp(s_i)) - b^T theta + lambda |theta|^2,
//   s_i = x_i^T theta,   b = sum_i x_i P_i,
//
// in time that does not depend on the number of rounds. As for the linear model, the outcomes enter
// through b alone. Fits to come share the N_i and scatter around an expected b, so the model keeps
// a centre: the fit to the expected b, with the inverse M of its Hessian. M and the gradient at the
// centre are linear in the counts and follow each pull in O(d^2). A fit starts at the centre: its
// first step needs no exponential, the next ones reuse M while they contract. When they do not,
// damped Newton steps with fresh Hessians take over, which converge from anywhere
// (docs/decisions/010).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "phe/arms.hpp"
#include "phe/pulled_rows.hpp"
#include "phe/result.hpp"

namespace phe {

// What a fit reached. Look at it before trusting theta.
struct LogisticFit {
  // |gradient| <= 1e-8 * sum_i N_i max_j |x_ij| and, for lambda = 0, a minimum certainly exists.
  bool converged = false;
  // Only for lambda = 0: some direction explains the data ever better, so there is no minimum (or
  // none that doubles can tell from that). Theta is then finite and points that way.
  bool separable = false;
  // The best arm at the minimum is certain, though theta may not have converged.
  bool arm_certain = false;
};

// How much work the fits were.
struct LogisticWork {
  std::uint64_t fits = 0;
  std::uint64_t steps = 0;         // all steps theta -= (inverse Hessian) * gradient
  std::uint64_t newton_steps = 0;  // those of them that took a fresh Hessian
  std::uint64_t centres = 0;       // how often the centre was moved
};

class LogisticModel {
 public:
  static constexpr double tolerance = 1e-8;
  static constexpr double largest_feature = 1e100;  // squares times counts must stay finite

  // Whether a model of these arms can be made; the message starts with `who`.
  static Result<void> check(std::string_view who, const Arms& arms, double ridge);

  // Precondition: check(..) is ok.
  LogisticModel(Arms arms, double ridge);

  // `arm` gains observations, of which `expected_positives` are positive on average over the fits
  // to come. Returns the row of the arm.
  std::uint32_t add(ArmId arm, double observations, double expected_positives) noexcept;

  // Minimises f for b = `target`. Spans of d entries.
  LogisticFit fit(std::span<const double> target, std::span<double> theta) noexcept;
  // Stops earlier, when no other arm can have a higher score at the minimum. Fills the padded
  // `scores` of all arms at theta.
  LogisticFit fit_until_certain(std::span<const double> target, std::span<double> theta,
                                std::span<double> scores) noexcept;
  // The slow twin of fit: damped Newton steps with a fresh Hessian each, from the given theta.
  LogisticFit fit_newton(std::span<const double> target, std::span<double> theta) noexcept;

  // theta += L^-T normals, where L L^T is the Hessian of f at theta: with d standard normal numbers
  // a draw from the Laplace approximation around theta.
  void perturb(std::span<const double> normals, std::span<double> theta) noexcept;

  [[nodiscard]] const Arms& arms() const noexcept { return arms_; }
  // The b of the expected positives.
  [[nodiscard]] std::span<const double> expected_target() const noexcept {
    return std::span(expected_target_).first(dimension_);
  }
  // The arms observed so far, in order of their first observation.
  [[nodiscard]] FeatureView rows() const noexcept { return rows_.view(); }
  [[nodiscard]] const LogisticWork& work() const noexcept { return work_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  // sum_i x_i N_i sigma_i - b is computed with an error of a few times this for each x_i N_i.
  static constexpr double gradient_rounding = 0x1p-50;

  struct Centre {
    bool valid = false;
    double total = 0.0;           // sum_i N_i when it was set
    std::vector<double> theta;    // d, padded
    std::vector<double> inverse;  // M, the inverse of the Hessian at theta, kept up to date
    std::vector<double> pull;     // sum_i x_i N_i sigma(s_i) + 2 lambda theta, kept up to date
    // By arm: scores at theta, sigma of them, its slope.
    std::vector<double> scores;
    std::vector<double> means;
    std::vector<double> slopes;
    // By row: the scores again, and N_i times the slope.
    std::vector<double> row_scores;
    std::vector<double> row_weights;
    // By arm: an upper bound of |x|_M, computed when first asked for (M only shrinks); the largest
    // one of a row;
    bool has_widths = false;
    std::vector<double> widths;
    double widest = 0.0;
    double rounding = 0.0;  // of the gradient in the norm of M: some ulps of N_i for each x_i
  };

  // The centre and what starts there (logistic.cpp).
  void recentre_when_due() noexcept;
  void describe_centre() noexcept;
  void measure_widths() noexcept;
  LogisticFit fit_from_centre(std::span<const double> target, std::span<double> theta,
                              std::span<double> arm_scores) noexcept;
  [[nodiscard]] double distance_after_first_step() const noexcept;
  [[nodiscard]] bool arm_is_certain(std::span<const double> theta, double distance,
                                    std::span<double> scores) const noexcept;

  // What any minimisation needs (logistic_newton.cpp).
  void score_rows(std::span<const double> theta) noexcept;
  double gradient_from_scores(std::span<const double> target,
                              std::span<const double> theta) noexcept;
  double evaluate(std::span<const double> target, std::span<const double> theta) noexcept;
  double advance(std::span<const double> target, double slope, std::span<double> theta) noexcept;
  bool factorise(std::span<const double> theta) noexcept;
  struct Minimum {
    bool exists;
    bool can_tell;
  };
  Minimum look_for_minimum(double squared_gradient) noexcept;

  Arms arms_;
  double ridge_;
  std::size_t dimension_;
  std::size_t stride_;  // d, padded to a multiple of 8
  PulledRows rows_;
  std::vector<std::uint32_t> row_of_arm_;
  std::vector<ArmId> arm_of_row_;
  std::vector<double> totals_;           // N_i, by row
  std::vector<double> expected_target_;  // the expected b
  double total_ = 0.0;                   // sum_i N_i
  double scale_ = 0.0;                   // sum_i N_i max_j |x_ij|
  Centre centre_;
  LogisticWork work_;

  // Work space, by row and by arm:
  std::vector<double> scores_;
  std::vector<double> weights_;
  std::vector<double> scratch_;
  // and of d entries, padded:
  std::vector<double> gradient_;
  std::vector<double> step_;
  std::vector<double> trial_;
  std::vector<double> row_;
  std::vector<double> next_centre_;
  std::vector<double> hessian_;  // and its factors
};

}  // namespace phe
