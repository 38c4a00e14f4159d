#include "theory/lemmas.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "kernels/score_arms.hpp"

namespace phe::theory {

namespace {

// c of Lemma 6 and of Lemma 7, in units of sqrt(a). |D| / |x| has standard deviation sqrt(a) / 2.
constexpr double concentration_grid[] = {0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0};
constexpr double anti_concentration_grid[] = {0.1, 0.2, 0.3, 0.4};
constexpr double miss_grid[] = {0.5, 0.1};  // delta of Lemma 5, beside Table 1's 1/n

std::uint64_t count_beyond(const std::vector<double>& deviations, double c, bool two_sided) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      deviations, [&](double d) { return two_sided ? std::abs(d) >= c : d > c; }));
}

}  // namespace

Check check_per_round_regret(const Frame& frame, const std::vector<SampledState>& states) {
  Check check{"Lemma 2", "E[Δ 1{E₁}] ≤ (c₁+c₂)(1+2/(p₃−p₂)) E⟨‖x‖⟩ + p₂", {}, {}};
  if (!(frame.p3 > frame.constants.p2)) {
    check.note =
        fmt::format("p₃ ≤ p₂ at a = {}: Lemma 7 claims nothing at c = c₁", frame.options.a);
    return check;
  }
  const Eigen::Map<const Eigen::VectorXd> theta(frame.theta.data(),
                                                static_cast<Eigen::Index>(frame.theta.size()));
  for (const SampledState& state : states) {
    const Eigen::VectorXd error = state.analysis.rows * (state.analysis.theta_bar - theta);
    const bool e1 = (error.array().square() <= frame.constants.c1 * frame.constants.c1 *
                                                   state.analysis.squared_widths.array())
                        .all();
    if (!e1) continue;  // the left side is 0
    // The right side is measured too: taken 5 standard errors low.
    const double width = state.width.mean() - 5 * state.width.standard_error();
    check.comparisons.push_back({Sense::at_most, frame.regret_factor() * width + frame.constants.p2,
                                 Estimate::average(state.gap.mean(), state.gap.standard_error()),
                                 fmt::format("t = {}", state.round)});
  }
  return check;
}

Check check_closeness(const Frame& frame, const std::vector<SampledState>& states) {
  Check check{"p₂", "P(E₂ fails) ≤ 1/n²", {}, {}};
  for (const SampledState& state : states)
    check.comparisons.push_back({Sense::at_most, frame.constants.p2,
                                 Estimate::count(state.not_close, frame.options.draws),
                                 fmt::format("t = {}", state.round)});
  return check;
}

Check check_optimism(const Frame& frame, const std::vector<SampledState>& states) {
  Check check{"p₃", "P(best arm is overestimated by c₁‖x‖) ≥ p₃", {}, {}};
  if (!(frame.p3 > 0)) {
    check.note = fmt::format("p₃ ≤ 0 at a = {}", frame.options.a);
    return check;
  }
  for (const SampledState& state : states)
    check.comparisons.push_back(
        {Sense::at_least, frame.p3,
         Estimate::count(count_beyond(state.directions[0].deviations, frame.constants.c1, false),
                         frame.options.draws),
         fmt::format("t = {}", state.round)});
  return check;
}

std::vector<Check> check_concentration(const Frame& frame,
                                       const std::vector<SampledState>& states) {
  std::vector<Check> checks;
  const double root = std::sqrt(frame.options.a);
  for (const double grid : concentration_grid) {
    Check check{"Lemma 6", fmt::format("P(|D| ≥ c‖x‖) ≤ 2exp(−2c²/a), c = {:.2f}√a", grid), {}, {}};
    for (const SampledState& state : states)
      for (const Direction& direction : state.directions)
        check.comparisons.push_back(
            {Sense::at_most, concentration_bound(grid * root, frame.options.a),
             Estimate::count(count_beyond(direction.deviations, grid * root, true),
                             frame.options.draws),
             state.at(direction.name)});
    checks.push_back(std::move(check));
  }
  return checks;
}

std::vector<Check> check_anti_concentration(const Frame& frame,
                                            const std::vector<SampledState>& states) {
  std::vector<Check> checks;
  const double root = std::sqrt(frame.options.a);
  for (const double grid : anti_concentration_grid) {
    Check check{"Lemma 7", fmt::format("P(D > c‖x‖) ≥ its bound, c = {:.2f}√a", grid), {}, {}};
    const double bound = anti_concentration_bound(frame.constants.rounds, frame.ridge_ratio,
                                                  grid * root, frame.options.a);
    if (!(bound > 0)) {
      check.note = fmt::format("its bound is {:.2g}", bound);
      checks.push_back(std::move(check));
      continue;
    }
    for (const SampledState& state : states)
      for (const Direction& direction : state.directions)
        check.comparisons.push_back(
            {Sense::at_least, bound,
             Estimate::count(count_beyond(direction.deviations, grid * root, false),
                             frame.options.draws),
             state.at(direction.name)});
    checks.push_back(std::move(check));
  }
  return checks;
}

// var(U) / ((a/4) (|x|^2 - lambda x^T G^-2 x)) = 1. U is a sum of independent coin flips, whose
// excess kurtosis is negative, so the sample variance has relative variance at most 2 / (m - 1).
Check check_variance(const Frame& frame, const std::vector<SampledState>& states) {
  Check check{"variance", "var(U) / (a/4)(‖x‖² − λxᵀG⁻²x) = 1", {}, {}};
  const double error = std::sqrt(2 / (static_cast<double>(frame.options.draws) - 1));
  for (const SampledState& state : states)
    for (const Direction& direction : state.directions) {
      const double square = direction.width * direction.width;
      const double share =
          frame.policy.ridge * (state.analysis.inverse * direction.x).squaredNorm() / square;
      Moments moments;
      for (const double deviation : direction.deviations) moments.add(deviation);
      const double ratio = moments.variance() / (frame.options.a / 4 * (1 - share));
      check.comparisons.push_back(
          {Sense::equal, 1, Estimate::average(ratio, error), state.at(direction.name)});
    }
  return check;
}

// E[x_i^T theta-tilde] for a history of expected rewards: (mu_i + a/2) / (a + 1) as lambda -> 0.
Result<Check> check_mean(const Frame& frame, std::span<const std::uint64_t> rounds,
                         const std::vector<History>& snapshots, Rng& rng) {
  Check check{
      "mean",
      frame.options.centred ? "E[xᵀθ~] → μ/(a+1) as λ → 0" : "E[xᵀθ~] → (μ + a/2)/(a+1) as λ → 0",
      {},
      {}};
  const Arms& arms = frame.instance->arms();
  LinPheOptions policy = frame.policy;
  policy.ridge = 1e-9 * frame.geometry.basis_eigenvalue;
  std::vector<double> theta(arms.dimension());
  std::vector<double> scores(arms.view().stride);
  for (std::size_t i = 0; i < snapshots.size(); ++i) {
    History expected(arms.size());
    for (ArmId arm = 0; arm < arms.size(); ++arm) {
      const std::uint64_t pulls = snapshots[i].pulls(arm);
      if (pulls > 0)
        expected.add(arm, static_cast<double>(pulls) * frame.instance->means()[arm], pulls);
    }
    auto sampler = frame.make_sampler(arms, policy, expected);
    if (!sampler) return sampler.error();
    Moments moments;
    for (std::uint64_t draw = 0; draw < frame.options.draws; ++draw) {
      sampler.value()(rng, theta);
      kernels::score_arms(arms.view(), theta, scores);
      moments.add(scores[frame.best]);
    }
    const double mean = frame.instance->means()[frame.best];
    check.comparisons.push_back({Sense::equal, (mean + frame.shift) / (frame.options.a + 1),
                                 Estimate::average(moments.mean(), moments.standard_error()),
                                 fmt::format("t = {}, best arm", rounds[i])});
  }
  return check;
}

std::vector<Check> check_runs(const Frame& frame, const std::vector<WatchedRun>& runs) {
  std::vector<Check> checks;
  Check widths{"Lemma 3", "Σ min(1, ‖x‖²) ≤ c₃, every run", {}, {}};
  for (std::size_t i = 0; i < runs.size(); ++i)
    widths.comparisons.push_back({Sense::at_most, frame.constants.c3,
                                  Estimate::exact(runs[i].squared_widths),
                                  fmt::format("run {} of {}", i + 1, runs.size())});
  checks.push_back(std::move(widths));
  std::vector<double> misses(std::begin(miss_grid), std::end(miss_grid));
  misses.push_back(frame.constants.p1);
  for (const double delta : misses) {
    const double c1 = c1_of(frame.constants.rounds, frame.geometry, frame.constants.lambda,
                            frame.constants.L_star, delta);
    const auto failures = static_cast<std::uint64_t>(
        std::ranges::count_if(runs, [&](const WatchedRun& run) { return run.deviation > c1; }));
    const double largest = std::ranges::max(runs, {}, &WatchedRun::deviation).deviation;
    checks.push_back({"Lemma 5",
                      fmt::format("P(E₁ fails) ≤ δ = {:.4g}", delta),
                      {{Sense::at_most, delta, Estimate::count(failures, runs.size()),
                        fmt::format("{} runs; largest {:.2f}c₁", runs.size(), largest / c1)}},
                      {}});
  }
  return checks;
}

std::vector<TailPoint> tails_of(const Frame& frame, const std::vector<SampledState>& states) {
  std::vector<TailPoint> tails;
  const double a = frame.options.a;
  for (const SampledState& state : states)
    for (int i = 0; i <= 20; ++i) {
      const double c = 0.1 * i * std::sqrt(a);
      const double lower =
          anti_concentration_bound(frame.constants.rounds, frame.ridge_ratio, c, a);
      tails.push_back({state.round, 0.1 * i, concentration_bound(c, a) / 2, std::max(0.0, lower),
                       Estimate::count(count_beyond(state.directions[0].deviations, c, false),
                                       frame.options.draws)});
    }
  return tails;
}

}  // namespace phe::theory
