// LearnerPolicy: a learner, what is offered to it, and the door through which everything comes in.
//
// With fixed arms each arm that was pulled is a row of the learner. In contexts the features of an
// action are: equal ones are one row.
#pragma once

#include <memory>
#include <vector>

#include "phe/history.hpp"
#include "phe/policy.hpp"
#include "policies/learner.hpp"
#include "policies/start.hpp"

namespace phe {

class LearnerPolicy final : public Policy {
 public:
  // With Arms::none(d) for contexts. Precondition: `start` fits the arms, `rewards` is a range.
  LearnerPolicy(Arms arms, std::unique_ptr<Learner> learner, Start start = Start::none,
                RewardRange rewards = {});
  LearnerPolicy(const LearnerPolicy& other);
  LearnerPolicy(LearnerPolicy&&) noexcept = default;
  LearnerPolicy& operator=(LearnerPolicy&&) noexcept = default;
  ~LearnerPolicy() override = default;

  ArmId select(Rng& rng) override;
  Result<void> update(ArmId arm, double reward) override;
  Result<std::size_t> select(const Actions& actions, Rng& rng) override;
  Result<void> update(std::span<const double> features, double reward) override;
  Result<void> update(ActionId action, std::span<const double> context, double reward) override;
  Result<void> weigh(double weight) override;
  Result<void> decide(Rng& rng, const DecideOptions& options, Decision& decision) override;
  Result<void> decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                      Decision& decision) override;

  [[nodiscard]] Result<void> fault() const override { return learner_->fault(); }
  [[nodiscard]] std::string_view name() const noexcept override { return learner_->name(); }
  [[nodiscard]] Result<std::string> save() const override;
  Result<void> load(std::string_view state) override;
  Result<void> merge(const Policy& other) override;

  // Draws a model without asking what it would choose, for whoever wants to look at it.
  void fit(Rng& rng) { static_cast<void>(learner_->choose(offered_, rng)); }
  // Learns a history of fixed arms, checked before. Precondition: as many rows as arms.
  void learn(const History& history);
  // Of fixed arms; rewards as they came, but for those with a weight.
  [[nodiscard]] const History& history() const noexcept { return history_; }
  [[nodiscard]] Learner& learner() noexcept { return *learner_; }
  [[nodiscard]] const Learner& learner() const noexcept { return *learner_; }

 private:
  class Law;

  [[nodiscard]] Result<void> named(Result<void> result) const;
  Result<void> offer(const Actions& actions, bool checked);
  ArmId choose(Rng& rng);
  Result<void> decide_offered(Rng& rng, const DecideOptions& options, Decision& decision);
  // The present one, from 1.
  [[nodiscard]] std::uint64_t round() const noexcept {
    return history_.total_pulls() + observed_ + 1;
  }
  [[nodiscard]] bool contexts() const noexcept { return offered_.arms().empty(); }
  void observe(ArmId arm, std::uint64_t pulls, double unit_sum);
  [[gnu::cold]] void observe_weighed(ArmId arm, double unit);
  [[nodiscard, gnu::cold]] Error refusal(ArmId arm, double reward) const;
  [[gnu::cold]] RowId new_row(ArmId arm);
  void identify(Archive& archive);
  void persist(Archive& archive);

  std::unique_ptr<Learner> learner_;
  Offered offered_;
  FirstRounds first_rounds_;
  RewardRange rewards_;
  double weight_ = 1.0;  // of the updates to come
  bool may_explore_;
  std::uint64_t observed_ = 0;  // rewards, in contexts or with a weight
  // Of fixed arms:
  History history_;
  std::vector<RowId> row_of_arm_;
  std::vector<double> features_, scaled_;  // work space
  std::vector<ArmId> favourites_;
};

}  // namespace phe
