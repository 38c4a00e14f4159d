// LinEps: the epsilon-greedy policy with a linear model (Sutton & Barto 1998; Auer, Cesa-Bianchi &
// Fischer 2002). In round t it takes any action with probability epsilon_t, else
//
//   argmax_i x_i^T theta-hat,   theta-hat = (ridge I + sum x x^T)^-1 sum x y.
//
// Greedy has epsilon = 0. Both may start with one pull of each arm of a basis, as LinPHE does:
// without that, a greedy policy stays with the first arm that pays.
#pragma once

#include <cstdint>

#include "policies/configured.hpp"
#include "policies/epsilon_schedule.hpp"
#include "policies/linear_learner.hpp"

namespace phe {

struct LinEpsOptions {
  double epsilon = 0.05;
  EpsilonSchedule schedule = EpsilonSchedule::authors;
  double ridge = 1.0;  // lambda
  bool basis = false;
  std::uint64_t rounds = 10'000;  // n, for the schedule `authors`
};

// Takes the best action of the ridge model, unless it explores.
class GreedyLearner : public LinearLearner {
 public:
  [[nodiscard]] Result<void> weighable() const override { return {}; }
  [[nodiscard]] bool traceless() const noexcept override { return true; }
  bool probabilities(Offered& offered, std::span<double> of_each) override;
  [[nodiscard]] bool certain() const noexcept override { return true; }

 protected:
  using LinearLearner::LinearLearner;
};

class LinEps final : public Configured<LinEps, LinEpsOptions, GreedyLearner> {
 public:
  static const Keys<LinEpsOptions>& keys();
  LinEps(const Arms& arms, const LinEpsOptions& options)
      : Configured(options, arms.dimension(), options.ridge) {}

  [[nodiscard]] double exploration(std::uint64_t round) const noexcept override {
    return epsilon_in_round(options_.schedule, options_.epsilon, options_.rounds, round);
  }
};

struct GreedyOptions {
  double ridge = 1.0;  // lambda
  bool basis = true;
};

class Greedy final : public Configured<Greedy, GreedyOptions, GreedyLearner> {
 public:
  static const Keys<GreedyOptions>& keys();
  Greedy(const Arms& arms, const GreedyOptions& options)
      : Configured(options, arms.dimension(), options.ridge) {}
};

}  // namespace phe
