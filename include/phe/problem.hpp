// Problem: draws bandit instances; Instance: answers pulls of fixed arms; ContextInstance: offers
// other actions in each round.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "phe/actions.hpp"
#include "phe/arms.hpp"
#include "phe/policy.hpp"
#include "phe/result.hpp"
#include "phe/rng.hpp"

namespace phe {

// One bandit: arms, their mean rewards and their reward noise. Immutable, so thread-safe.
class Instance {
 public:
  virtual ~Instance() = default;

  // The reward of `arm` in `round`: a pure function of the instance, the round and the arm, so all
  // policies face the same noise.
  [[nodiscard]] virtual double reward(std::uint64_t round, ArmId arm) const noexcept = 0;

  [[nodiscard]] const Arms& arms() const noexcept { return arms_; }
  [[nodiscard]] std::span<const double> means() const noexcept { return means_; }
  // mu_1 - mu_arm, with arm 1 a best one.
  [[nodiscard]] double gap(ArmId arm) const noexcept { return best_mean_ - means_[arm]; }
  // The gap of the second best arm: how hard the instance is. 0 when two arms are best, or there is
  // only one.
  [[nodiscard]] double smallest_gap() const noexcept;
  [[nodiscard]] RewardRange reward_range() const noexcept { return range_; }
  // Whether rewards are only ever the two ends of that range.
  [[nodiscard]] virtual bool binary_rewards() const noexcept { return false; }

 protected:
  Instance(Arms arms, std::vector<double> means, RewardRange range = {});

 private:
  Arms arms_;
  std::vector<double> means_;
  double best_mean_;
  RewardRange range_;
};

// What one round of a ContextInstance offers, and the truth about it.
struct ContextRound {
  std::vector<double> features;  // of each action, row by row; or the one context
  std::vector<double> means;     // one per action
};

// A bandit whose actions change from round to round. Regret is against the best of the round.
class ContextInstance : public Instance {
 public:
  // The actions of `round`: a pure function of the instance and the round.
  virtual void offer(std::uint64_t round, ContextRound& offered) const = 0;
  // The reward of an action with that mean: of the instance, the round and the action alone.
  [[nodiscard]] virtual double reward(std::uint64_t round, ArmId action, double mean) const = 0;
  // Whether each round has one context, and not features for each action.
  [[nodiscard]] bool one_context() const noexcept { return one_context_; }

 protected:
  ContextInstance(std::size_t dimension, bool one_context, RewardRange range = {});

 private:
  // There are no fixed arms to pull.
  [[nodiscard]] double reward(std::uint64_t round, ArmId arm) const noexcept final;

  bool one_context_;
};

// A family of instances. Immutable, so thread-safe.
class Problem {
 public:
  virtual ~Problem() = default;

  // The instance that `key` stands for; the same key always gives the same instance.
  [[nodiscard]] virtual Result<std::unique_ptr<const Instance>> draw(StreamKey key) const = 0;
  // Instance `number`, counted from 0, which `key` was made for. Differs from draw() where
  // instances have numbers of their own, such as the orders of a data set's rows.
  [[nodiscard]] virtual Result<std::unique_ptr<const Instance>> draw_numbered(
      StreamKey key, std::uint64_t /*number*/) const {
    return draw(key);
  }
  [[nodiscard]] virtual std::size_t dimension() const noexcept = 0;
  [[nodiscard]] virtual std::size_t arms() const noexcept = 0;
  // How many rounds an instance has to offer.
  [[nodiscard]] virtual std::uint64_t most_rounds() const noexcept {
    return std::numeric_limits<std::uint64_t>::max();
  }
};

}  // namespace phe
