// A LinPHE run seen through the analysis (Section 4.1): G_t without the factor a + 1, theta-bar,
// and the confidence widths |x|_{G_t^-1}.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "phe/history.hpp"
#include "phe/lin_phe.hpp"
#include "phe/problem.hpp"

namespace phe::theory {

// The analysis of one history, from scratch: O(K d^2 + d^3). `shift` is the mean of the a
// pseudo-rewards of a pull: a/2, or 0 when they are centred.
struct AnalysisState {
  AnalysisState(const Arms& arms, const History& history, double lambda, double shift);

  [[nodiscard]] double width(const Eigen::VectorXd& x) const {
    return std::sqrt(x.dot(inverse * x));
  }

  Eigen::MatrixXd rows;            // K x d, the arms
  Eigen::MatrixXd inverse;         // G^-1, G = sum_l X_l X_l^T + lambda I
  Eigen::VectorXd target;          // sum_l X_l (Y_l + shift)
  Eigen::VectorXd theta_bar;       // G^-1 target
  Eigen::VectorXd squared_widths;  // x_i^T G^-1 x_i of every arm
};

struct WatchedRun {
  double squared_widths = 0;  // sum over t > d of min(1, |x_{I_t}|^2), Lemma 3
  // The largest |x_i^T (theta-bar_t - theta*)| / |x_i| over arms and t > d: E_1 holds when this is
  // at most c1.
  double deviation = 0;
  std::vector<History> snapshots;  // what was known before each of the given rounds
};

// Runs LinPHE for `rounds` rounds. `theta` is theta* of the analysis, shifted. Rewards are those of
// rounds `first_round` and up of the instance, so runs with different first rounds are independent.
// `snapshot_rounds` are ascending and beyond the d initial pulls.
Result<WatchedRun> watch(const Instance& instance, const LinPheOptions& options, double shift,
                         std::span<const double> theta, std::uint64_t rounds,
                         std::uint64_t first_round, std::span<const std::uint64_t> snapshot_rounds,
                         Rng& rng);

}  // namespace phe::theory
