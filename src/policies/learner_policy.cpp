#include "policies/learner_policy.hpp"

#include <cassert>

#include "policies/door.hpp"
#include "policies/round_law.hpp"
#include "policies/state.hpp"
#include "policies/weighed_row.hpp"

namespace phe {

namespace {

constexpr RowId none = ~RowId{0};

}  // namespace

LearnerPolicy::LearnerPolicy(Arms arms, std::unique_ptr<Learner> learner, Start start,
                             RewardRange rewards)
    : learner_(std::move(learner)),
      offered_(arms),
      first_rounds_(start, arms),
      rewards_(rewards),
      may_explore_(learner_->exploration(1) > 0),
      history_(arms.size()),
      row_of_arm_(arms.size(), none),
      features_(arms.dimension()) {
  learner_->rows().reserve(arms.size());
}

LearnerPolicy::LearnerPolicy(const LearnerPolicy& other)
    : Policy(other),
      learner_(other.learner_->clone()),
      offered_(other.offered_),
      first_rounds_(other.first_rounds_),
      rewards_(other.rewards_),
      may_explore_(other.may_explore_),
      observed_(other.observed_),
      history_(other.history_),
      row_of_arm_(other.row_of_arm_),
      features_(other.features_) {}

ArmId LearnerPolicy::choose(Rng& rng) {
  if (!first_rounds_.over()) [[unlikely]]
    if (const auto due = first_rounds_.due(offered_.size())) {
      const std::uint64_t place = *due == any_action ? rng.below(offered_.size()) : *due;
      first_rounds_.take(place);
      return static_cast<ArmId>(place);
    }
  if (may_explore_ && learner_->explores(round(), rng))
    return static_cast<ArmId>(rng.below(offered_.size()));
  return learner_->choose(offered_, rng);
}

ArmId LearnerPolicy::select(Rng& rng) {
  assert(!contexts());
  return choose(rng);
}

Error LearnerPolicy::refusal(ArmId arm, double reward) const {
  if (const auto fault = learner_->fault(); arm == no_arm && !fault) return fault.error();
  if (arm >= row_of_arm_.size())
    return invalid("{}: there is no arm {}, only {}", name(), arm, row_of_arm_.size());
  return bad_reward(name(), rewards_, reward);
}

inline void LearnerPolicy::observe(ArmId arm, std::uint64_t pulls, double unit_sum) {
  if (row_of_arm_[arm] == none) [[unlikely]]
    row_of_arm_[arm] = new_row(arm);
  learner_->observe({.row = row_of_arm_[arm],
                     .reward_sum = weight_ * unit_sum,
                     .pulls = pulls,
                     .weight = weight_,
                     .arm = arm,
                     .arms = &offered_});
}

RowId LearnerPolicy::new_row(ArmId arm) {
  offered_.arms().copy_row(arm, features_);
  return learner_->rows().append(features_);
}

Result<void> LearnerPolicy::update(ArmId arm, double reward) {
  if (arm >= row_of_arm_.size() || !rewards_.contains(reward)) [[unlikely]]
    return refusal(arm, reward);
  if (!first_rounds_.over()) [[unlikely]]
    first_rounds_.pulled(arm);
  if (weight_ != 1.0) [[unlikely]] {
    observe_weighed(arm, rewards_.to_unit(reward));
    return {};
  }
  history_.add(arm, reward);
  observe(arm, 1, rewards_.to_unit(reward));
  return {};
}

// A History counts whole rewards: it has no place for these.
void LearnerPolicy::observe_weighed(ArmId arm, double unit) {
  ++observed_;
  if (!learner_->keeps_rows()) return observe(arm, 1, unit);
  offered_.arms().copy_row(arm, features_);
  learner_->observe(weighed(*learner_, features_, unit, weight_, scaled_));
}

void LearnerPolicy::learn(const History& history) {
  for (ArmId arm = 0; arm < history.rows(); ++arm) {
    const std::uint64_t pulls = history.pulls(arm);
    if (pulls == 0) continue;
    first_rounds_.pulled(arm);
    history_.add(arm, history.reward_sum(arm), pulls);
    const double shifted = history.reward_sum(arm) - static_cast<double>(pulls) * rewards_.low;
    observe(arm, pulls, shifted / (rewards_.high - rewards_.low));
  }
}

Result<void> LearnerPolicy::named(Result<void> result) const {
  if (result) return result;
  return invalid("{}: {}", name(), result.error().message);
}

Result<void> LearnerPolicy::offer(const Actions& actions, bool checked) {
  if (!contexts()) return invalid("{}: it was made for fixed arms, not for contexts", name());
  if (!actions.ids.empty())
    return invalid("{}: one context for all actions needs the key disjoint", name());
  return named(checked ? offered_.offer(actions) : offered_.offer_unchecked(actions));
}

Result<std::size_t> LearnerPolicy::select(const Actions& actions, Rng& rng) {
  // The choice reads every feature: whether all are finite is then known for nothing.
  const bool checked = !(learner_->traceless() && first_rounds_.over());
  if (auto offered = offer(actions, checked); !offered) return offered.error();
  const Rng before = rng;
  const ArmId place = choose(rng);
  const auto finite = offered_.check();
  offered_.close();
  if (!finite) [[unlikely]] {
    rng = before;
    return named(finite).error();
  }
  if (place == no_arm) [[unlikely]]
    return learner_->fault().error();
  return std::size_t{place};
}

class LearnerPolicy::Law final : public RoundLaw {
 public:
  explicit Law(LearnerPolicy& policy) : policy_(policy) {}

  [[nodiscard]] std::optional<std::size_t> due() const override {
    return policy_.first_rounds_.due(policy_.offered_.size());
  }
  [[nodiscard]] double exploration() const override {
    return policy_.learner_->exploration(policy_.round());
  }
  bool probabilities(std::span<double> of_each) override {
    return policy_.learner_->probabilities(policy_.offered_, of_each);
  }
  Result<void> favourites(Rng& rng, std::span<ArmId> choices) override {
    policy_.learner_->favourites(policy_.offered_, rng, choices);
    return policy_.learner_->fault();
  }

 private:
  LearnerPolicy& policy_;
};

Result<void> LearnerPolicy::decide_offered(Rng& rng, const DecideOptions& options,
                                           Decision& decision) {
  Law law(*this);
  auto made = make_decision(law, offered_.size(), rng, options, favourites_, decision);
  if (made) first_rounds_.take(decision.action);
  return made;
}

Result<void> LearnerPolicy::decide(Rng& rng, const DecideOptions& options, Decision& decision) {
  if (contexts()) return invalid("{}: it was made for contexts, not for fixed arms", name());
  if (auto checked = check_options(name(), options); !checked) return checked;
  return decide_offered(rng, options, decision);
}

Result<void> LearnerPolicy::decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                                   Decision& decision) {
  if (auto checked = check_options(name(), options); !checked) return checked;
  if (auto offered = offer(actions, true); !offered) return offered;
  auto made = decide_offered(rng, options, decision);
  offered_.close();
  return made;
}

Result<void> LearnerPolicy::update(std::span<const double> features, double reward) {
  if (!contexts()) return invalid("{}: it was made for fixed arms, not for contexts", name());
  if (auto checked = check_features(name(), offered_.dimension(), features); !checked)
    return checked;
  if (!rewards_.contains(reward)) return bad_reward(name(), rewards_, reward);
  ++observed_;
  learner_->observe(weighed(*learner_, features, rewards_.to_unit(reward), weight_, scaled_));
  return {};
}

Result<void> LearnerPolicy::update(ActionId, std::span<const double>, double) {
  return invalid("{}: a model per action needs the key disjoint", name());
}

Result<void> LearnerPolicy::weigh(double weight) {
  auto checked = check_weight(name(), learner_->weighable(), weight);
  if (checked) weight_ = weight;
  return checked;
}

void LearnerPolicy::identify(Archive& archive) {
  archive.same(std::string(name()), "policy");
  archive.same(static_cast<std::uint64_t>(offered_.dimension()), "features");
  archive.same(static_cast<std::uint64_t>(offered_.arms().size()), "arms");
  archive.same(digest_of(offered_.arms()), "a digest of the arms");
  archive.same(rewards_.low, "lowest reward");
  archive.same(rewards_.high, "highest reward");
  learner_->identify(archive);
}

void LearnerPolicy::persist(Archive& archive) {
  offered_.persist(archive);
  first_rounds_.persist(archive, row_of_arm_.size());
  archive(observed_);
  history_.persist(archive);
  archive.fixed(row_of_arm_);
  learner_->rows().persist(archive);
  archive.require(contexts() || learner_->rows().size() <= row_of_arm_.size() + observed_,
                  "more rows than arms and weighed rewards");
  if (!archive.ok()) return;
  learner_->persist(archive);
  for (const RowId row : row_of_arm_)
    archive.require(row == none || row < learner_->rows().size(), "an arm without its row");
}

Result<std::string> LearnerPolicy::save() const {
  LearnerPolicy* self = const_cast<LearnerPolicy*>(this);  // persist reads and writes
  return saved_state([self](Archive& archive) { self->identify(archive); },
                     [self](Archive& archive) { self->persist(archive); });
}

Result<void> LearnerPolicy::load(std::string_view state) {
  LearnerPolicy copy = *this;
  auto loaded = load_state(
      name(), state, [&](Archive& archive) { copy.identify(archive); },
      [&](Archive& archive) { copy.persist(archive); });
  if (!loaded) return loaded;
  *this = std::move(copy);
  return {};
}

Result<void> LearnerPolicy::merge(const Policy& other) {
  const auto* same = dynamic_cast<const LearnerPolicy*>(&other);
  if (same == nullptr)
    return invalid("{}: cannot merge a policy of another kind, {}", name(), other.name());
  if (auto alike = check_alike(
          name(), [&](Archive& archive) { const_cast<LearnerPolicy*>(same)->identify(archive); },
          [&](Archive& archive) { identify(archive); });
      !alike)
    return alike;
  if (auto mergeable = learner_->mergeable(); !mergeable) return mergeable;
  if (!contexts()) {
    if (observed_ + same->observed_ > 0)
      return invalid("{}: arms that learnt rewards with weights cannot be merged", name());
    learn(same->history_);
    return {};
  }
  observed_ += same->observed_;
  learner_->merge(*same->learner_);
  return {};
}

}  // namespace phe
