#include "policies/disjoint_policy.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "policies/door.hpp"
#include "policies/round_law.hpp"
#include "policies/state.hpp"
#include "policies/weighed_row.hpp"

namespace phe {

DisjointPolicy::DisjointPolicy(std::unique_ptr<Learner> fresh, Start start, RewardRange rewards)
    : fresh_(std::move(fresh)),
      start_(start),
      rewards_(rewards),
      random_left_(start == Start::random ? fresh_->rows().dimension() : 0),
      context_(padded(fresh_->rows().dimension())) {}

DisjointPolicy::DisjointPolicy(const DisjointPolicy& other)
    : Policy(other),
      fresh_(other.fresh_->clone()),
      start_(other.start_),
      rewards_(other.rewards_),
      random_left_(other.random_left_),
      observed_(other.observed_),
      place_(other.place_),
      context_(other.context_) {
  for (const Entry& entry : other.entries_)
    entries_.push_back({entry.id, entry.taken, entry.learner->clone()});
}

ArmId DisjointPolicy::select(Rng& /*rng*/) {
  assert(false && "a disjoint policy has no fixed arms");
  return 0;
}

Result<void> DisjointPolicy::update(ArmId, double) {
  return invalid("{}: it was made for contexts, not for fixed arms", name());
}

Result<void> DisjointPolicy::update(std::span<const double>, double) {
  return invalid("{}: with a model per action, say which action paid", name());
}

DisjointPolicy::Entry& DisjointPolicy::entry(ActionId action) {
  const auto [found, is_new] = place_.try_emplace(action, entries_.size());
  if (is_new) entries_.push_back({action, false, fresh_->clone()});
  return entries_[found->second];
}

Learner* DisjointPolicy::learner(ActionId action) noexcept {
  const auto found = place_.find(action);
  return found == place_.end() ? nullptr : entries_[found->second].learner.get();
}

std::vector<ActionId> DisjointPolicy::actions() const {
  std::vector<ActionId> ids;
  ids.reserve(entries_.size());
  for (const Entry& entry : entries_) ids.push_back(entry.id);
  return ids;
}

void DisjointPolicy::forget(ActionId action) {
  const auto found = place_.find(action);
  if (found == place_.end()) return;
  const std::size_t place = found->second;
  place_.erase(found);
  std::swap(entries_[place], entries_.back());
  entries_.pop_back();
  if (place < entries_.size()) place_[entries_[place].id] = place;
}

Result<void> DisjointPolicy::check(const Actions& actions) {
  if (actions.count == 0) return invalid("{}: there must be at least 1 action, got none", name());
  if (!actions.ids.empty() && actions.ids.size() != actions.count)
    return invalid("{}: {} actions have {} names", name(), actions.count, actions.ids.size());
  ids_.assign(actions.ids.begin(), actions.ids.end());
  std::ranges::sort(ids_);
  if (const auto twice = std::ranges::adjacent_find(ids_); twice != ids_.end())
    return invalid("{}: action {} is offered twice in one round", name(), *twice);
  return check_features(name(), dimension(), actions.features);
}

Result<void> DisjointPolicy::offer(const Actions& actions) {
  if (auto checked = check(actions); !checked) return checked;
  std::ranges::copy(actions.features, context_.begin());
  for (std::size_t place = 0; place < actions.count; ++place) entry(actions.id(place));
  return {};
}

Result<std::size_t> DisjointPolicy::select(const Actions& actions, Rng& rng) {
  if (auto offered = offer(actions); !offered) return offered.error();
  if (const auto first = due(actions)) {
    const std::size_t place =
        *first == any_action ? static_cast<std::size_t>(rng.below(actions.count)) : *first;
    take(actions, place);
    return place;
  }
  if (fresh_->explores(observed_ + 1, rng))
    return static_cast<std::size_t>(rng.below(actions.count));
  return best(actions, rng);
}

std::optional<std::size_t> DisjointPolicy::due(const Actions& actions) {
  if (random_left_ > 0) return any_action;
  if (start_ != Start::each) return std::nullopt;
  for (std::size_t place = 0; place < actions.count; ++place)
    if (!entry(actions.id(place)).taken) return place;
  return std::nullopt;
}

void DisjointPolicy::take(const Actions& actions, std::size_t place) {
  if (random_left_ > 0)
    --random_left_;
  else if (start_ == Start::each)
    entry(actions.id(place)).taken = true;
}

class DisjointPolicy::Law final : public RoundLaw {
 public:
  Law(DisjointPolicy& policy, const Actions& actions) : policy_(policy), actions_(actions) {}

  [[nodiscard]] std::optional<std::size_t> due() const override { return policy_.due(actions_); }
  [[nodiscard]] double exploration() const override {
    return policy_.fresh_->exploration(policy_.observed_ + 1);
  }
  bool probabilities(std::span<double> of_each) override {
    if (!policy_.fresh_->certain()) return false;
    Rng unused(0);
    static_cast<void>(policy_.find_best(actions_, unused));  // whoever is certain has no faults
    for (const std::size_t place : policy_.ties_)
      of_each[place] = 1.0 / static_cast<double>(policy_.ties_.size());
    return true;
  }
  Result<void> favourites(Rng& rng, std::span<ArmId> choices) override {
    for (ArmId& choice : choices) {
      const auto best = policy_.best(actions_, rng);
      if (!best) return best.error();
      choice = static_cast<ArmId>(best.value());
    }
    return {};
  }

 private:
  DisjointPolicy& policy_;
  const Actions& actions_;
};

Result<void> DisjointPolicy::decide(Rng&, const DecideOptions&, Decision&) {
  return invalid("{}: it was made for contexts, not for fixed arms", name());
}

Result<void> DisjointPolicy::decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                                    Decision& decision) {
  if (auto checked = check_options(name(), options); !checked) return checked;
  if (auto offered = offer(actions); !offered) return offered;
  Law law(*this, actions);
  auto made = make_decision(law, actions.count, rng, options, favourites_, decision);
  if (made) take(actions, decision.action);
  return made;
}

Result<void> DisjointPolicy::find_best(const Actions& actions, Rng& rng) {
  ties_.clear();
  double highest = 0.0;
  for (std::size_t place = 0; place < actions.count; ++place) {
    Learner& learner = *entry(actions.id(place)).learner;
    const double score = learner.score(context_, rng);
    if (std::isnan(score)) [[unlikely]]
      if (auto fault = learner.fault(); !fault) return fault;
    if (!ties_.empty() && !(score >= highest)) continue;
    if (ties_.empty() || score > highest) ties_.clear();
    highest = score;
    ties_.push_back(place);
  }
  return {};
}

Result<std::size_t> DisjointPolicy::best(const Actions& actions, Rng& rng) {
  if (auto found = find_best(actions, rng); !found) return found.error();
  return ties_.size() == 1 ? ties_[0] : ties_[rng.below(ties_.size())];
}

Result<void> DisjointPolicy::update(ActionId action, std::span<const double> context,
                                    double reward) {
  Learner* const of = learner(action);
  if (of == nullptr) return invalid("{}: action {} was never offered", name(), action);
  if (auto checked = check_features(name(), dimension(), context); !checked) return checked;
  if (!rewards_.contains(reward)) return bad_reward(name(), rewards_, reward);
  of->observe(weighed(*of, context, rewards_.to_unit(reward), weight_, scaled_));
  ++observed_;
  return {};
}

Result<void> DisjointPolicy::weigh(double weight) {
  auto checked = check_weight(name(), fresh_->weighable(), weight);
  if (checked) weight_ = weight;
  return checked;
}

void DisjointPolicy::identify(Archive& archive) {
  archive.same(std::string(name()) + ":disjoint", "policy");
  archive.same(static_cast<std::uint64_t>(dimension()), "features");
  archive.same(start_, "start");
  archive.same(rewards_.low, "lowest reward");
  archive.same(rewards_.high, "highest reward");
  fresh_->identify(archive);
}

void DisjointPolicy::persist(Archive& archive) {
  archive(random_left_);
  archive(observed_);
  std::uint64_t count = entries_.size();
  archive(count);
  archive.require(count <= archive.left().size() || !archive.reading(), "more actions than bytes");
  if (!archive.ok()) return;
  if (archive.reading()) {
    entries_.clear();
    place_.clear();
  }
  for (std::uint64_t i = 0; i < count && archive.ok(); ++i) {
    ActionId id = archive.reading() ? 0 : entries_[i].id;
    archive(id);
    Entry& of = entry(id);
    archive.require(entries_.size() > i, "an action that stands twice");
    archive(of.taken);
    of.learner->rows().persist(archive);
    if (archive.ok()) of.learner->persist(archive);
  }
}

Result<std::string> DisjointPolicy::save() const {
  auto* self = const_cast<DisjointPolicy*>(this);  // persist reads and writes
  return saved_state([self](Archive& archive) { self->identify(archive); },
                     [self](Archive& archive) { self->persist(archive); });
}

Result<void> DisjointPolicy::load(std::string_view state) {
  DisjointPolicy copy = *this;
  auto loaded = load_state(
      name(), state, [&](Archive& archive) { copy.identify(archive); },
      [&](Archive& archive) { copy.persist(archive); });
  if (!loaded) return loaded;
  *this = std::move(copy);
  return {};
}

Result<void> DisjointPolicy::merge(const Policy& other) {
  const auto* same = dynamic_cast<const DisjointPolicy*>(&other);
  if (same == nullptr)
    return invalid("{}: cannot merge a policy of another kind, {}", name(), other.name());
  if (auto alike = check_alike(
          name(), [&](Archive& archive) { const_cast<DisjointPolicy*>(same)->identify(archive); },
          [&](Archive& archive) { identify(archive); });
      !alike)
    return alike;
  if (auto mergeable = fresh_->mergeable(); !mergeable) return mergeable;
  for (const Entry& theirs : same->entries_) {
    Entry& ours = entry(theirs.id);
    ours.taken = ours.taken || theirs.taken;
    ours.learner->merge(*theirs.learner);
  }
  observed_ += same->observed_;
  return {};
}

}  // namespace phe
