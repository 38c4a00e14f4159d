// DisjointPolicy: one context per round, and one learner per action. Actions come and go: whoever
// is offered for the first time gets a learner that knows nothing, and keeps what it learns.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/aligned_vector.hpp"
#include "phe/policy.hpp"
#include "policies/learner.hpp"

namespace phe {

class DisjointPolicy final : public Policy {
 public:
  // `fresh` knows nothing; each action gets a copy. Precondition: `rewards` is a range.
  DisjointPolicy(std::unique_ptr<Learner> fresh, Start start, RewardRange rewards = {});
  DisjointPolicy(const DisjointPolicy& other);
  DisjointPolicy(DisjointPolicy&&) noexcept = default;
  DisjointPolicy& operator=(DisjointPolicy&&) noexcept = default;
  ~DisjointPolicy() override = default;

  ArmId select(Rng& rng) override;
  Result<void> update(ArmId arm, double reward) override;
  Result<std::size_t> select(const Actions& actions, Rng& rng) override;
  Result<void> update(std::span<const double> features, double reward) override;
  Result<void> update(ActionId action, std::span<const double> context, double reward) override;
  Result<void> weigh(double weight) override;
  Result<void> decide(Rng& rng, const DecideOptions& options, Decision& decision) override;
  Result<void> decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                      Decision& decision) override;

  [[nodiscard]] std::string_view name() const noexcept override { return fresh_->name(); }
  [[nodiscard]] Result<std::string> save() const override;
  Result<void> load(std::string_view state) override;
  Result<void> merge(const Policy& other) override;

  // Forgets what an action has learnt; offered again, it is new.
  void forget(ActionId action);
  // All that were offered, in the order in which they first were.
  [[nodiscard]] std::vector<ActionId> actions() const;
  // The learner of an action that was offered, or null.
  [[nodiscard]] Learner* learner(ActionId action) noexcept;

 private:
  struct Entry {
    ActionId id = 0;
    bool taken = false;  // in the first rounds, with start=each
    std::unique_ptr<Learner> learner;
  };

  class Law;

  Entry& entry(ActionId action);
  Result<void> check(const Actions& actions);
  Result<void> offer(const Actions& actions);
  // The first action offered that was not taken yet, or any_action, while the start says so.
  std::optional<std::size_t> due(const Actions& actions);
  void take(const Actions& actions, std::size_t place);
  // The places of the best actions, in ties_. Fails where a learner has a fault.
  Result<void> find_best(const Actions& actions, Rng& rng);
  Result<std::size_t> best(const Actions& actions, Rng& rng);
  [[nodiscard]] std::size_t dimension() const noexcept { return fresh_->rows().dimension(); }
  void identify(Archive& archive);
  void persist(Archive& archive);

  std::unique_ptr<Learner> fresh_;
  Start start_;
  RewardRange rewards_;
  double weight_ = 1.0;  // of the updates to come
  std::uint64_t random_left_;
  std::uint64_t observed_ = 0;  // rewards
  std::vector<Entry> entries_;
  std::unordered_map<ActionId, std::size_t> place_;  // in entries_
  AlignedVector context_;                            // padded
  std::vector<ActionId> ids_;                        // work space
  std::vector<std::size_t> ties_;                    // work space
  std::vector<ArmId> favourites_;
  std::vector<double> scaled_;
};

}  // namespace phe
