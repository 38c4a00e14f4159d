// LogEps: the epsilon-greedy policy with a logistic model. In round t it pulls a uniformly random
// arm with probability epsilon_t, else
//
//   argmax_i x_i^T theta-hat,   theta-hat the regularised estimate of Section 3.3.
//
// Schedules are those of LinEps.
#pragma once

#include <cstdint>

#include "models/logistic_map.hpp"
#include "phe/policy.hpp"
#include "phe/result.hpp"
#include "policies/epsilon_schedule.hpp"
#include "policies/initial_arms.hpp"

namespace phe {

struct LogEpsOptions {
  double epsilon = 0.05;
  EpsilonSchedule schedule = EpsilonSchedule::authors;
  double ridge = 0.5;             // lambda
  bool basis = false;             // pull each arm of a basis once, first
  std::uint64_t rounds = 10'000;  // n, for the schedule `authors`
  RewardRange rewards;            // low is a failure, high a success, nothing between
};

class LogEps final : public Policy {
 public:
  static Result<LogEps> create(const Arms& arms, const LogEpsOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "logeps"; }

 private:
  LogEps(const Arms& arms, const LogEpsOptions& options);

  LogEpsOptions options_;
  LogisticMap map_;
  InitialArms initial_;
  std::uint64_t round_ = 1;
};

}  // namespace phe
