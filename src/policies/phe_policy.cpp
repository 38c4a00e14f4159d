#include "phe/phe_policy.hpp"

#include <utility>

#include "policies/learner_policy.hpp"

namespace phe {

PhePolicy::PhePolicy(std::unique_ptr<LearnerPolicy> policy) : policy_(std::move(policy)) {}
PhePolicy::PhePolicy(const PhePolicy& other)
    : Policy(other), policy_(std::make_unique<LearnerPolicy>(*other.policy_)) {}
PhePolicy::PhePolicy(PhePolicy&&) noexcept = default;
PhePolicy& PhePolicy::operator=(PhePolicy other) noexcept {
  std::swap(policy_, other.policy_);
  return *this;
}
PhePolicy::~PhePolicy() = default;

ArmId PhePolicy::select(Rng& rng) { return policy_->select(rng); }
Result<void> PhePolicy::update(ArmId arm, double reward) { return policy_->update(arm, reward); }
Result<std::size_t> PhePolicy::select(const Actions& actions, Rng& rng) {
  return policy_->select(actions, rng);
}
Result<void> PhePolicy::update(std::span<const double> features, double reward) {
  return policy_->update(features, reward);
}
Result<void> PhePolicy::weigh(double weight) { return policy_->weigh(weight); }
Result<void> PhePolicy::decide(Rng& rng, const DecideOptions& options, Decision& decision) {
  return policy_->decide(rng, options, decision);
}
Result<void> PhePolicy::decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                               Decision& decision) {
  return policy_->decide(actions, rng, options, decision);
}
Result<void> PhePolicy::fault() const { return policy_->fault(); }
std::string_view PhePolicy::name() const noexcept { return policy_->name(); }
Result<std::string> PhePolicy::save() const { return policy_->save(); }
Result<void> PhePolicy::load(std::string_view state) { return policy_->load(state); }
Result<void> PhePolicy::merge(const Policy& other) {
  const auto* same = dynamic_cast<const PhePolicy*>(&other);
  return policy_->merge(same != nullptr ? *same->policy_ : other);
}
const History& PhePolicy::history() const noexcept { return policy_->history(); }

}  // namespace phe
