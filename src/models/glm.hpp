// GlmModel: an offline oracle fitted to sufficient statistics: a generalised linear model whose
// mean reward is mu(x^T theta), for each link mu of links.hpp. With the logit it is that of
// Section 3.3.
//
// Row i has N_i observations, whose rewards sum to P_i. The model minimises
//
//   f(theta) = sum_i N_i m(s_i) - b^T theta + lambda |theta|^2,
//   s_i = x_i^T theta,   b = sum_i x_i P_i,   m' = mu,
//
// so m is log(1 + exp(s)), exp(s) or s^2 / 2, in time that does not depend on the number of rounds.
// As for the linear model, the rewards enter through b alone. Fits to come share the N_i and
// scatter around an expected b, so the model keeps a centre: the fit to the expected b, with the
// inverse M of its Hessian. M and the gradient at the centre are linear in the counts and follow
// each pull in O(d^2). A fit starts at the centre: its first step evaluates no mean, the next ones
// reuse M while they contract. When they do not, damped Newton steps with fresh Hessians take over,
// which converge from anywhere (docs/decisions/010).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/offered.hpp"
#include "core/rows.hpp"
#include "models/links.hpp"
#include "phe/arms.hpp"
#include "phe/glm_fit.hpp"
#include "phe/result.hpp"

namespace phe {

class Archive;

template <class Link>
class GlmModel {
 public:
  static constexpr double tolerance = 1e-8;
  static constexpr double largest_feature = 1e100;  // squares times counts must stay finite

  // Whether a model for these arms can be made; the message starts with `who`.
  static Result<void> check(std::string_view who, const Arms& arms, double ridge);

  // Room for `rows` rows; rewards are at most `largest_reward`. Precondition: check(..) is ok.
  GlmModel(std::size_t dimension, double ridge, std::size_t rows = 0, double largest_reward = 1.0);

  // What was observed. Append or intern here, then `add`.
  [[nodiscard]] Rows& rows() noexcept { return rows_; }
  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  // `row` gains observations, whose rewards sum to `expected_sum` on average over the fits to come.
  void add(RowId row, double observations, double expected_sum);
  // Replaces the terms of the first `count` rows by their quadratic expansion at the centre, and
  // drops the rows. Rewards stay in b. Precondition: can_fold(), and there are so many.
  void fold(std::size_t count);
  // Whether there is a centre to expand at; moves it when that is due.
  [[nodiscard]] bool can_fold() noexcept;

  // Minimises f for b = `target`. Spans of d entries.
  GlmFit fit(std::span<const double> target, std::span<double> theta) noexcept;
  // Stops earlier, when no other of the offered actions can have a higher score at the minimum.
  // Fills the padded `scores` of all of them at theta.
  GlmFit fit_until_certain(std::span<const double> target, const Offered& offered,
                           std::span<double> theta, std::span<double> scores);
  // The slow twin of fit: damped Newton steps with a fresh Hessian each, from the given theta.
  GlmFit fit_newton(std::span<const double> target, std::span<double> theta) noexcept;

  // theta += L^-T normals, where L L^T is the Hessian of f at theta: with d standard normal numbers
  // a draw from the Laplace approximation around theta.
  void perturb(std::span<const double> normals, std::span<double> theta) noexcept;

  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  [[nodiscard]] double total(RowId row) const noexcept { return totals_[row]; }
  // The b of the expected sums.
  [[nodiscard]] std::span<const double> expected_target() const noexcept {
    return std::span(expected_target_).first(dimension_);
  }
  [[nodiscard]] const GlmWork& work() const noexcept { return work_; }

  void persist(Archive& archive);

 private:
  // sum_i x_i N_i mu_i - b is computed with an error of a few times this for each x_i N_i, times
  // what the link says of the size of mu_i.
  static constexpr double gradient_rounding = 0x1p-50;

  struct Centre {
    bool valid = false;
    double total = 0.0;           // sum_i N_i when it was set
    std::vector<double> theta;    // d, padded
    std::vector<double> hessian;  // H at theta, kept up to date
    std::vector<double> inverse;  // M, the inverse of H but for the rounding of its updates
    std::vector<double> pull;     // sum_i x_i N_i mu(s_i) + 2 lambda theta, kept up to date
    // By row: scores at theta, mu of them, its slope, and N_i times the slope.
    std::vector<double> scores;
    std::vector<double> means;
    std::vector<double> slopes;
    std::vector<double> weights;
    // The largest |x_i|_M of a row, found when first asked for (M only shrinks), and the rounding
    // error of the gradient in the norm of M, some ulps of N_i mu_i for each x_i.
    bool has_widths = false;
    double widest = 0.0;
    double rounding = 0.0;
  };
  // An upper bound of |x|_M of each offered action, of the present centre and round.
  struct Widths {
    bool valid = false;
    std::uint64_t round = 0;
    std::vector<double> values;
  };
  // The rows folded: sum_i N_i (mu_i x_i + slope_i x_i x_i^T (theta - theta_i)).
  struct Folded {
    double rounding = 0.0;        // of the gradient: sum_i N_i mu_i, or what the link says of it
    std::vector<double> hessian;  // empty while there are none
    std::vector<double> pull;
  };

  // The centre and what starts there (glm.cpp).
  void recentre_when_due() noexcept;
  void describe_centre() noexcept;
  void sum_hessian() noexcept;
  void make_room();
  void describe_new_rows();
  void measure_widths() noexcept;
  void measure_offered(const Offered& offered);
  void squared_widths(const FeatureView& x, std::span<double> widths) noexcept;
  [[nodiscard]] double squared_width(std::span<const double> x) noexcept;
  // `offered` is null when theta must converge.
  GlmFit fit_from_centre(std::span<const double> target, const Offered* offered,
                         std::span<double> theta, std::span<double> scores) noexcept;
  [[nodiscard]] double rounding_of(RowId row, double observations) const noexcept;
  [[nodiscard]] double left_of_gradient() noexcept;
  [[nodiscard]] double distance_after_first_step(double left) const noexcept;
  [[nodiscard]] bool arm_is_certain(const Offered& offered, std::span<const double> theta,
                                    double distance, std::span<double> scores) const noexcept;

  // What any minimisation needs (glm_newton.cpp).
  void score_rows(std::span<const double> theta) noexcept;
  double gradient_from_scores(std::span<const double> target,
                              std::span<const double> theta) noexcept;
  double evaluate(std::span<const double> target, std::span<const double> theta) noexcept;
  double advance(std::span<const double> target, double slope, std::span<double> theta) noexcept;
  void add_folded_gradient(std::span<const double> theta, double* gradient) const noexcept;
  bool factorise(std::span<const double> theta) noexcept;
  struct Minimum {
    bool exists;
    bool can_tell;
  };
  Minimum look_for_minimum(double squared_gradient) noexcept;

  double ridge_;
  double largest_reward_;
  std::size_t dimension_;
  std::size_t stride_;  // d, padded to a multiple of 8
  Rows rows_;
  std::size_t known_rows_ = 0;           // those of them that `add` has seen
  std::vector<double> totals_;           // N_i, by row
  std::vector<double> expected_target_;  // the expected b
  double total_ = 0.0;                   // sum_i N_i
  double scale_ = 0.0;                   // M sum_i N_i max_j |x_ij|, M the largest reward
  Folded folded_;
  Centre centre_;
  Widths widths_;
  GlmWork work_;

  // Work space, by row:
  std::vector<double> scores_;
  std::vector<double> weights_;
  std::vector<double> scratch_;
  std::vector<double> products_;  // by row or by action
  // and of d entries, padded:
  std::vector<double> gradient_;
  std::vector<double> step_;
  std::vector<double> trial_;
  std::vector<double> row_;
  std::vector<double> next_centre_;
  std::vector<double> hessian_;  // and its factors
  bool exact_hessian_ = false;   // not so where factorise had to add to the diagonal
};

// The logistic model of Section 3.3.
using LogisticModel = GlmModel<LogitLink>;

}  // namespace phe
