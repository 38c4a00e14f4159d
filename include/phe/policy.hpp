// Policy: chooses among arms, or among the actions of a round, and learns from rewards.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "phe/actions.hpp"
#include "phe/arms.hpp"
#include "phe/decision.hpp"
#include "phe/result.hpp"
#include "phe/rng.hpp"

namespace phe {

// What select returns where there is a fault.
inline constexpr ArmId no_arm = ~ArmId{0};

// A policy is made either for fixed arms or for contexts, actions that come with each round; the
// calls of the other kind are refused. Rewards may come late, in any order, or never.
//
// Not thread-safe: one Policy per run. Nothing throws, and nothing allocates but where a history
// grows. Whatever is refused leaves the policy as it was.
class Policy {
 public:
  virtual ~Policy() = default;

  // Fixed arms. The arm to pull next; all randomness comes from `rng`.
  virtual ArmId select(Rng& rng) = 0;
  // What a pull of `arm` paid. Refused: an arm that does not exist, a reward outside its range.
  virtual Result<void> update(ArmId arm, double reward) = 0;

  // Contexts. The place, from 0, of the chosen one among the actions offered. Refused: no actions,
  // the wrong number of features, a feature that is not finite.
  virtual Result<std::size_t> select(const Actions& actions, Rng& rng);
  // What the action with these features paid (a model shared by all actions).
  virtual Result<void> update(std::span<const double> features, double reward);
  // What `action` paid in this context (one model per action). Refused: one that was never offered.
  virtual Result<void> update(ActionId action, std::span<const double> context, double reward);

  // Every update from now on has this weight in the model, until told otherwise: rows of a log that
  // stand for others. Refused: weights that are not above 0, and, but for a weight of 1, policies
  // that count whole observations.
  virtual Result<void> weigh(double weight);

  // A choice like that of select, with the probability of every action; of fixed arms, and in
  // contexts. Refused besides: no draws, a floor outside [0, 1], a floor beside resampling.
  virtual Result<void> decide(Rng& rng, const DecideOptions& options, Decision& decision);
  virtual Result<void> decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                              Decision& decision);

  // Why the last select chose no_arm, or none of the actions: the model of an Oracle could not be
  // had (phe/oracle.hpp). All other policies choose always.
  [[nodiscard]] virtual Result<void> fault() const { return {}; }

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  // The whole state, as bytes (docs/state.md). A policy made alike that loads them goes on, with
  // the same rng, exactly as this one does.
  [[nodiscard]] virtual Result<std::string> save() const;
  virtual Result<void> load(std::string_view state);
  // Learns all that `other`, a policy made alike, has learnt from other rewards.
  virtual Result<void> merge(const Policy& other);

 protected:
  Policy() = default;
  Policy(const Policy&) = default;
  Policy(Policy&&) = default;
  Policy& operator=(const Policy&) = default;
  Policy& operator=(Policy&&) = default;
};

// The same, to and from a file.
Result<void> save(const Policy& policy, const std::filesystem::path& file);
Result<void> load(Policy& policy, const std::filesystem::path& file);

// The range [low, high] that rewards lie in. Policies learn from (reward - low) / (high - low).
struct RewardRange {
  double low = 0.0;
  double high = 1.0;

  [[nodiscard]] double to_unit(double reward) const noexcept {
    return (reward - low) / (high - low);
  }
  [[nodiscard]] bool contains(double reward) const noexcept {
    return reward >= low && reward <= high;
  }
};

// What the first rounds do, before the model decides.
enum class Start {
  automatic,  // basis for fixed arms where the policy needs it; prior in contexts
  none,       // the model decides at once
  basis,      // pull each arm of a basis of R^d once (lines 10-11 of Algorithm 1); fixed arms only
  random,     // d rounds take any action, with equal probability
  each,       // take the first action, then the second, until each place was taken once
  prior       // none, but the prior is perturbed as if it were data, so that it explores
};

}  // namespace phe
