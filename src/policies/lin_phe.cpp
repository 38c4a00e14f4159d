#include <algorithm>
#include <cmath>

#include "kernels/padded.hpp"
#include "policies/checks.hpp"
#include "policies/learner_policy.hpp"
#include "policies/lin_phe_learner.hpp"
#include "policies/warm_start.hpp"

namespace phe {

namespace {

constexpr double largest_ridge = 1e100;

Result<void> check(const LinPheOptions& options) {
  if (!(options.ridge > 0) || !(options.ridge <= largest_ridge))
    return invalid("linphe: ridge must be > 0 and at most {}, got {}", largest_ridge,
                   options.ridge);
  if (options.schedule == ScaleSchedule::linear && options.rounds < 1)
    return invalid("linphe: the linear schedule needs rounds >= 1, got {}", options.rounds);
  return check_range("linphe", options.rewards);
}

// The ridge is like lambda observations of each unit vector, and its noise like theirs.
double prior_variance(const LinPheOptions& options) {
  return options.start == Start::prior ? 0.25 * options.perturbation_scale * options.ridge : 0.0;
}

}  // namespace

Result<LinPheLearner> LinPheLearner::create(const Arms& arms, const LinPheOptions& options) {
  const auto scale = PerturbationScale::from(options.perturbation_scale);
  if (auto checked = check(options); !checked) return checked.error();
  if (!scale) return invalid("linphe: {}", scale.error().message);
  if (auto checked = first_error(
          {check_arms("linphe", arms), check_memory_key("linphe", arms, options.memory)});
      !checked)
    return checked.error();
  return LinPheLearner(arms, options, scale.value());
}

LinPheLearner::LinPheLearner(const Arms& arms, const LinPheOptions& options,
                             PerturbationScale scale)
    : options_(options),
      law_(scale, arms.empty()),
      rows_(arms.dimension()),
      pseudo_rewards_(law_.pseudo_rewards(arms.dimension(), arms.size(), prior_variance(options))),
      // G_0 = (a + 1) lambda I.
      model_(arms.dimension(), (scale.value() + 1) * options.ridge),
      reward_part_(padded(arms.dimension())),
      pseudo_mean_(reward_part_.size()),
      target_(reward_part_.size()) {}

std::span<const double> LinPheLearner::draw(Rng& rng) {
  // Line 6: fresh pseudo-rewards; the model sees only sum_i x_i U_i with U_i ~ B(a T_i, 1/2).
  const auto flips = pseudo_rewards_.draw(rows_, rng);
  // Line 8, as equation (9): theta = G^-1 sum_i x_i (V_i + U_i).
  const double spread = this->spread();
  if (spread == 1.0) return model_.solve(reward_part_, flips);
  for (std::size_t j = 0; j < flips.size(); ++j) {
    const double mean = pseudo_mean_[j];
    target_[j] = reward_part_[j] + flips[j] - (1.0 - spread) * (flips[j] - mean) -
                 (1.0 - law_.mean_factor()) * mean;
  }
  return model_.solve(target_);
}

double LinPheLearner::spread() const noexcept {
  if (options_.schedule == ScaleSchedule::constant) return law_.spread();
  const auto n = static_cast<double>(options_.rounds);
  const double left = n - static_cast<double>(pulls_);
  return left > 0 ? law_.spread() * std::sqrt(left / n) : 0.0;
}

void LinPheLearner::observe(const Observation& observation) {
  const auto pulls = static_cast<double>(observation.pulls);
  const auto trials =
      static_cast<double>(pseudo_rewards_.add_pulls(observation.row, observation.pulls));
  pulls_ += observation.pulls;
  // Line 7: the pulls and their pseudo-rewards are rows of the same regression.
  const double weight =
      options_.gram == Gram::paper || law_.contexts() ? (law_.a() + 1) * pulls : pulls + trials;
  const auto x = rows_.features(observation.row);
  model_.add_padded(x, weight);
  const double centre = options_.centred ? 0.5 * trials * law_.mean_factor() : 0.0;
  kernels::add_scaled(x.data(), observation.reward_sum - centre, x.size(), reward_part_.data());
  if (options_.schedule != ScaleSchedule::constant || law_.contexts())
    kernels::add_scaled(x.data(), 0.5 * trials, x.size(), pseudo_mean_.data());
  if (const std::size_t count = rows_to_fold(rows_.size(), options_.memory); count > 0) {
    pseudo_rewards_.fold(rows_, count);
    rows_.drop_first(count);
  }
}

void LinPheLearner::identify(Archive& archive) {
  archive.same(options_.perturbation_scale, "a");
  archive.same(options_.ridge, "ridge");
  archive.same(options_.gram, "gram");
  archive.same(options_.centred, "centred");
  archive.same(options_.schedule, "schedule");
  archive.same(options_.rounds, "rounds");
  archive.same(options_.start, "start");
  archive.same(options_.memory.value_or(all_rows), "memory");
}

void LinPheLearner::persist(Archive& archive) {
  pseudo_rewards_.persist(archive);
  archive.require(pseudo_rewards_.rows() == rows_.size(), "rows without pseudo-rewards");
  model_.persist(archive);
  archive(pulls_);
  archive.fixed(reward_part_);
  archive.fixed(pseudo_mean_);
}

void LinPheLearner::merge(const Learner& other) {
  const auto& same = dynamic_cast<const LinPheLearner&>(other);
  model_.merge(same.model_);
  for (std::size_t j = 0; j < reward_part_.size(); ++j) {
    reward_part_[j] += same.reward_part_[j];
    pseudo_mean_[j] += same.pseudo_mean_[j];
  }
  pulls_ += same.pulls_;
  pseudo_rewards_.merge_folded(same.pseudo_rewards_);
  for (RowId row = 0; row < same.rows_.size(); ++row)
    pseudo_rewards_.add_pulls(rows_.intern(same.rows_.features(row).first(rows_.dimension())),
                              same.pseudo_rewards_.pulls(row));
}

namespace {

Result<std::unique_ptr<LearnerPolicy>> make(Arms arms, LinPheOptions options) {
  if (options.start == Start::automatic) options.start = arms.empty() ? Start::prior : Start::basis;
  if (options.start == Start::basis && arms.empty())
    return invalid("linphe: start=basis needs fixed arms");
  auto learner = LinPheLearner::create(arms, options);
  if (!learner) return learner.error();
  return std::make_unique<LearnerPolicy>(
      std::move(arms), std::make_unique<LinPheLearner>(std::move(learner).value()), options.start,
      options.rewards);
}

}  // namespace

Result<LinPhe> LinPhe::create(Arms arms, const LinPheOptions& options) {
  const History none(arms.size());
  return create(std::move(arms), options, none);
}

Result<LinPhe> LinPhe::create(Arms arms, const LinPheOptions& options, const History& history) {
  const std::size_t count = arms.size();
  auto policy = make(std::move(arms), options);
  if (!policy) return policy.error();
  if (auto checked =
          check_history("linphe", history, count, options.rewards, options.perturbation_scale);
      !checked)
    return checked.error();
  policy.value()->learn(history);
  return LinPhe(std::move(policy).value());
}

Result<LinPhe> LinPhe::create(std::size_t dimension, const LinPheOptions& options) {
  if (dimension < 1) return invalid("linphe: there must be at least 1 feature, got 0");
  auto policy = make(Arms::none(dimension), options);
  if (!policy) return policy.error();
  return LinPhe(std::move(policy).value());
}

LinPhe::LinPhe(std::unique_ptr<LearnerPolicy> policy) : policy_(std::move(policy)) {}
LinPhe::LinPhe(const LinPhe& other)
    : Policy(other), policy_(std::make_unique<LearnerPolicy>(*other.policy_)) {}
LinPhe::LinPhe(LinPhe&&) noexcept = default;
LinPhe& LinPhe::operator=(LinPhe other) noexcept {
  std::swap(policy_, other.policy_);
  return *this;
}
LinPhe::~LinPhe() = default;

ArmId LinPhe::select(Rng& rng) { return policy_->select(rng); }
Result<void> LinPhe::update(ArmId arm, double reward) { return policy_->update(arm, reward); }
Result<std::size_t> LinPhe::select(const Actions& actions, Rng& rng) {
  return policy_->select(actions, rng);
}
Result<void> LinPhe::update(std::span<const double> features, double reward) {
  return policy_->update(features, reward);
}
Result<void> LinPhe::decide(Rng& rng, const DecideOptions& options, Decision& decision) {
  return policy_->decide(rng, options, decision);
}
Result<void> LinPhe::decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                            Decision& decision) {
  return policy_->decide(actions, rng, options, decision);
}
Result<std::string> LinPhe::save() const { return policy_->save(); }
Result<void> LinPhe::load(std::string_view state) { return policy_->load(state); }
Result<void> LinPhe::merge(const Policy& other) {
  const auto* same = dynamic_cast<const LinPhe*>(&other);
  return policy_->merge(same != nullptr ? *same->policy_ : other);
}
const History& LinPhe::history() const noexcept { return policy_->history(); }
std::span<const double> LinPhe::estimate() const noexcept {
  return static_cast<const LinPheLearner&>(policy_->learner()).estimate();
}
void LinPhe::fit(Rng& rng) { static_cast<LinPheLearner&>(policy_->learner()).draw(rng); }

}  // namespace phe
