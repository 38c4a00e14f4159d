// GlmEps: the epsilon-greedy policy with a generalised linear model. In round t it takes any action
// with probability epsilon_t, else
//
//   argmax_i x_i^T theta-hat,   theta-hat the regularised estimate of Section 3.3.
//
// Schedules are those of LinEps. LogEps has the logit, PoisEps the log link.
#pragma once

#include <cstdint>

#include "policies/configured.hpp"
#include "policies/epsilon_schedule.hpp"
#include "policies/glm_learner.hpp"

namespace phe {

struct GlmEpsOptions {
  double epsilon = 0.05;
  EpsilonSchedule schedule = EpsilonSchedule::authors;
  double ridge = 0.5;  // lambda
  bool basis = false;
  std::uint64_t rounds = 10'000;  // n, for the schedule `authors`
  RewardRange rewards = {};
};

template <class Link>
class GlmEps final : public Configured<GlmEps<Link>, GlmEpsOptions, GlmLearner<Link>> {
 public:
  static const Keys<GlmEpsOptions>& keys();
  GlmEps(const Arms& arms, const GlmEpsOptions& options)
      : GlmEps::Configured(options, arms, options.ridge, options.rewards) {}

  [[nodiscard]] double exploration(std::uint64_t round) const noexcept override {
    const GlmEpsOptions& o = this->options_;
    return epsilon_in_round(o.schedule, o.epsilon, o.rounds, round);
  }
  ArmId choose(Offered& offered, Rng& rng) override;
  bool probabilities(Offered& offered, std::span<double> of_each) override;
  [[nodiscard]] bool certain() const noexcept override { return true; }
  std::span<const double> draw(Rng& /*rng*/) override { return this->fit(); }
};

using LogEps = GlmEps<LogitLink>;
using PoisEps = GlmEps<LogLink>;

}  // namespace phe
