// LinEps: the epsilon-greedy policy with a linear model (Sutton & Barto 1998; Auer, Cesa-Bianchi &
// Fischer 2002). In round t it pulls a uniformly random arm with probability epsilon_t, else
//
//   argmax_i x_i^T theta-hat,   theta-hat = (ridge I + sum x x^T)^-1 sum x y.
//
// With epsilon = 0 it is the greedy policy. It may start with one pull of each arm of a basis, as
// LinPHE does: without that, a greedy policy stays with the first arm that pays.
#pragma once

#include <cstdint>

#include "models/linear_model.hpp"
#include "phe/arm_scorer.hpp"
#include "phe/policy.hpp"
#include "phe/result.hpp"
#include "policies/epsilon_schedule.hpp"
#include "policies/initial_arms.hpp"

namespace phe {

struct LinEpsOptions {
  double epsilon = 0.05;
  EpsilonSchedule schedule = EpsilonSchedule::authors;
  double ridge = 1.0;             // lambda
  bool basis = false;             // pull each arm of a basis once, first
  std::uint64_t rounds = 10'000;  // n, for the schedule `authors`
  RewardRange rewards;            // [m, M]; rewards are mapped to [0, 1]
};

class LinEps final : public Policy {
 public:
  static Result<LinEps> create(Arms arms, const LinEpsOptions& options = {});
  // Never explores: epsilon and schedule of the options are not used.
  static Result<LinEps> greedy(Arms arms, const LinEpsOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return name_; }

  // epsilon_t, t from 1, cut off at 1.
  [[nodiscard]] static double epsilon(const LinEpsOptions& options, std::uint64_t round) noexcept;

 private:
  LinEps(Arms arms, const LinEpsOptions& options, std::string_view name);

  LinEpsOptions options_;
  LinearModel model_;
  ArmScorer scorer_;
  InitialArms initial_;
  std::uint64_t round_ = 1;
  std::string_view name_;
};

}  // namespace phe
