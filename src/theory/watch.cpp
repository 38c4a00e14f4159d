#include "theory/watch.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Cholesky>

namespace phe::theory {

namespace {

// Rank-one updates are exact to rounding; from scratch every so often, rounding does not add up.
constexpr std::uint64_t refresh_period = 256;

// The largest |x_i^T (theta-bar - theta*)| / |x_i|_{G^-1} over the arms.
double largest_deviation(const AnalysisState& state, const Eigen::VectorXd& theta) {
  const Eigen::VectorXd error = state.rows * (state.theta_bar - theta);
  double largest = 0;
  for (Eigen::Index i = 0; i < error.size(); ++i)
    if (state.squared_widths[i] > 0)
      largest = std::max(largest, std::abs(error[i]) / std::sqrt(state.squared_widths[i]));
  return largest;
}

// The state after one more pull: (G + x x^T)^-1 = G^-1 - g g^T / (1 + x^T g), g = G^-1 x.
void pull(AnalysisState& state, ArmId arm, double shifted_reward) {
  const Eigen::VectorXd x = state.rows.row(arm);
  Eigen::VectorXd gain = state.inverse * x;
  gain /= std::sqrt(1 + x.dot(gain));
  state.inverse -= gain * gain.transpose();
  state.squared_widths -= (state.rows * gain).cwiseAbs2();
  state.target += shifted_reward * x;
  state.theta_bar = state.inverse * state.target;
}

}  // namespace

AnalysisState::AnalysisState(const Arms& arms, const History& history, double lambda, double shift)
    : rows(arms.size(), arms.dimension()) {
  const Eigen::Index d = rows.cols();
  Eigen::MatrixXd gram = lambda * Eigen::MatrixXd::Identity(d, d);
  target = Eigen::VectorXd::Zero(d);
  for (ArmId arm = 0; arm < arms.size(); ++arm) {
    for (Eigen::Index j = 0; j < d; ++j) rows(arm, j) = arms.at(arm, static_cast<std::size_t>(j));
    const auto pulls = static_cast<double>(history.pulls(arm));
    const Eigen::VectorXd x = rows.row(arm);
    gram += pulls * x * x.transpose();
    target += (history.reward_sum(arm) + pulls * shift) * x;
  }
  inverse = gram.llt().solve(Eigen::MatrixXd::Identity(d, d));
  theta_bar = inverse * target;
  squared_widths = (rows * inverse).cwiseProduct(rows).rowwise().sum();
}

Result<WatchedRun> watch(const Instance& instance, const LinPheOptions& options, double shift,
                         std::span<const double> theta, std::uint64_t rounds,
                         std::uint64_t first_round, std::span<const std::uint64_t> snapshot_rounds,
                         Rng& rng) {
  auto made = LinPhe::create(instance.arms(), options);
  if (!made) return made.error();
  LinPhe& policy = made.value();
  const Eigen::Map<const Eigen::VectorXd> truth(theta.data(),
                                                static_cast<Eigen::Index>(theta.size()));
  const std::uint64_t d = instance.arms().dimension();
  WatchedRun run;
  std::optional<AnalysisState> state;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    if (t > d && (t - d - 1) % refresh_period == 0)
      state.emplace(instance.arms(), policy.history(), options.ridge, shift);
    if (state) run.deviation = std::max(run.deviation, largest_deviation(*state, truth));
    if (run.snapshots.size() < snapshot_rounds.size() && t == snapshot_rounds[run.snapshots.size()])
      run.snapshots.push_back(policy.history());
    const ArmId arm = policy.select(rng);
    const double reward = instance.reward(first_round + t - 1, arm);
    if (auto learnt = policy.update(arm, reward); !learnt) return learnt.error();
    if (!state) continue;
    run.squared_widths += std::min(1.0, state->squared_widths[arm]);
    pull(*state, arm, reward + shift);
  }
  return run;
}

}  // namespace phe::theory
