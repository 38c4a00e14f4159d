// LogEps: the epsilon-greedy policy with a logistic model. In round t it takes any action with
// probability epsilon_t, else
//
//   argmax_i x_i^T theta-hat,   theta-hat the regularised estimate of Section 3.3.
//
// Schedules are those of LinEps.
#pragma once

#include <cstdint>

#include "policies/configured.hpp"
#include "policies/epsilon_schedule.hpp"
#include "policies/logistic_learner.hpp"

namespace phe {

struct LogEpsOptions {
  double epsilon = 0.05;
  EpsilonSchedule schedule = EpsilonSchedule::authors;
  double ridge = 0.5;  // lambda
  bool basis = false;
  std::uint64_t rounds = 10'000;  // n, for the schedule `authors`
};

class LogEps final : public Configured<LogEps, LogEpsOptions, LogisticLearner> {
 public:
  static const Keys<LogEpsOptions>& keys();
  LogEps(const Arms& arms, const LogEpsOptions& options)
      : Configured(options, arms, options.ridge) {}

  [[nodiscard]] double exploration(std::uint64_t round) const noexcept override {
    return epsilon_in_round(options_.schedule, options_.epsilon, options_.rounds, round);
  }
  ArmId choose(Offered& offered, Rng& rng) override;
  bool probabilities(Offered& offered, std::span<double> of_each) override;
  [[nodiscard]] bool certain() const noexcept override { return true; }
  std::span<const double> draw(Rng& /*rng*/) override { return fit(); }
};

}  // namespace phe
