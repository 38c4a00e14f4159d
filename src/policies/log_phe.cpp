#include <algorithm>
#include <cmath>

#include "core/best_arm.hpp"
#include "kernels/score_arms.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"
#include "policies/learner_policy.hpp"
#include "policies/log_phe_learner.hpp"
#include "policies/memory_key.hpp"
#include "policies/warm_start.hpp"

namespace phe {

namespace {

// As the data's: an observation adds (1 + a)/4 x x^T to the Hessian (at even odds) and a/4 x x^T to
// the covariance of the noise, so the prior's 2 lambda I goes with a / (1 + a) of it. Centred
// pseudo-rewards add nothing to the Hessian.
double prior_variance(const LogPheOptions& options) {
  if (options.start != Start::prior) return 0.0;
  const double a = options.perturbation_scale;
  return 2.0 * options.ridge * (options.centred ? a : a / (1.0 + a));
}

}  // namespace

Result<LogPheLearner> LogPheLearner::create(const Arms& arms, const LogPheOptions& options) {
  if (auto checked = first_error({LogisticModel::check("logphe", arms, options.ridge),
                                  check_range("logphe", options.rewards),
                                  check_memory_key("logphe", arms, options.memory)});
      !checked)
    return checked.error();
  const auto scale = PerturbationScale::from(options.perturbation_scale);
  if (!scale) return invalid("logphe: {}", scale.error().message);
  return LogPheLearner(arms, options, scale.value());
}

LogPheLearner::LogPheLearner(const Arms& arms, const LogPheOptions& options,
                             PerturbationScale scale)
    : LogisticLearner(arms, options.ridge),
      options_(options),
      law_(scale, arms.empty()),
      pseudo_rewards_(law_.pseudo_rewards(arms.dimension(), arms.size(), prior_variance(options))),
      reward_part_(arms.dimension()),
      pseudo_mean_(arms.dimension()),
      target_(arms.dimension()) {}

std::span<const double> LogPheLearner::draw_target(Rng& rng) {
  // Line 6: fresh pseudo-rewards; the model sees only sum_i x_i U_i with U_i ~ B(a T_i, 1/2).
  const auto flips = pseudo_rewards_.draw(model_.rows(), rng);
  for (std::size_t j = 0; j < target_.size(); ++j)
    target_[j] = reward_part_[j] + flips[j] - (1.0 - law_.spread()) * (flips[j] - pseudo_mean_[j]) -
                 (1.0 - law_.mean_factor()) * pseudo_mean_[j];
  return target_;
}

std::span<const double> LogPheLearner::draw(Rng& rng) {
  // Section 3.3 in place of line 8: T_i + ceil(a T_i) observations, V_i + U_i of them positive.
  fit(draw_target(rng));
  separable_fits_ += last_fit_.separable ? 1 : 0;
  return theta_;
}

// Line 9: argmax x_i^T theta; the sigmoid changes no order.
ArmId LogPheLearner::choose(Offered& offered, Rng& rng) {
  if (options_.stop == LogisticStop::gradient) return offered.best(draw(rng), rng);
  const ArmId arm = choose_certainly(draw_target(rng), offered, rng);
  separable_fits_ += last_fit_.separable ? 1 : 0;
  return arm;
}

void LogPheLearner::observe(const Observation& observation) {
  const auto new_pulls = static_cast<double>(observation.pulls);
  const double flips =
      static_cast<double>(pseudo_rewards_.add_pulls(observation.row, observation.pulls));
  const double pseudo = flips * law_.mean_factor();  // pseudo-rewards, half of them positive
  count(observation);
  // Line 7: the pulls and their pseudo-rewards are observations of the same model.
  if (options_.centred)
    model_.add(observation.row, new_pulls, observation.reward_sum);
  else
    model_.add(observation.row, new_pulls + pseudo, observation.reward_sum + 0.5 * pseudo);
  const auto x = model_.rows().features(observation.row);
  const double sum = observation.reward_sum - (options_.centred ? 0.5 * pseudo : 0.0);
  for (std::size_t j = 0; j < reward_part_.size(); ++j) {
    reward_part_[j] += sum * x[j];
    pseudo_mean_[j] += 0.5 * flips * x[j];
  }
  fold_old_rows();
}

void LogPheLearner::fold_old_rows() {
  const std::size_t count = rows_to_fold(model_.rows().size(), options_.memory);
  if (count == 0 || !model_.can_fold()) return;
  pseudo_rewards_.fold(model_.rows(), count);
  model_.fold(count);
  successes_.erase(successes_.begin(), successes_.begin() + static_cast<std::ptrdiff_t>(count));
}

void LogPheLearner::identify(Archive& archive) {
  archive.same(options_.perturbation_scale, "a");
  archive.same(options_.ridge, "ridge");
  archive.same(options_.stop, "stop");
  archive.same(options_.centred, "centred");
  archive.same(options_.start, "start");
  archive.same(options_.memory.value_or(all_rows), "memory");
}

void LogPheLearner::persist(Archive& archive) {
  LogisticLearner::persist(archive);
  pseudo_rewards_.persist(archive);
  archive.require(pseudo_rewards_.rows() == model_.rows().size(), "rows without pseudo-rewards");
  archive.fixed(reward_part_);
  archive.fixed(pseudo_mean_);
  archive(separable_fits_);
}

Result<void> LogPheLearner::mergeable() const {
  if (!options_.memory) return {};
  return invalid("logphe: with bounded memory each has a summary around a centre of its own");
}

namespace {

Result<std::unique_ptr<LearnerPolicy>> make(Arms arms, LogPheOptions options) {
  if (options.start == Start::automatic) options.start = arms.empty() ? Start::prior : Start::basis;
  if (options.start == Start::basis && arms.empty())
    return invalid("logphe: start=basis needs fixed arms");
  auto learner = LogPheLearner::create(arms, options);
  if (!learner) return learner.error();
  return std::make_unique<LearnerPolicy>(
      std::move(arms), std::make_unique<LogPheLearner>(std::move(learner).value()), options.start,
      options.rewards);
}

}  // namespace

Result<LogPhe> LogPhe::create(Arms arms, const LogPheOptions& options) {
  const History none(arms.size());
  return create(std::move(arms), options, none);
}

Result<LogPhe> LogPhe::create(Arms arms, const LogPheOptions& options, const History& history) {
  const std::size_t count = arms.size();
  auto policy = make(std::move(arms), options);
  if (!policy) return policy.error();
  if (auto checked = first_error(
          {check_history("logphe", history, count, options.rewards, options.perturbation_scale),
           check_binary_history("logphe", history, options.rewards)});
      !checked)
    return checked.error();
  policy.value()->learn(history);
  return LogPhe(std::move(policy).value());
}

Result<LogPhe> LogPhe::create(std::size_t dimension, const LogPheOptions& options) {
  if (dimension < 1) return invalid("logphe: there must be at least 1 feature, got 0");
  auto policy = make(Arms::none(dimension), options);
  if (!policy) return policy.error();
  return LogPhe(std::move(policy).value());
}

LogPhe::LogPhe(std::unique_ptr<LearnerPolicy> policy) : policy_(std::move(policy)) {}
LogPhe::LogPhe(const LogPhe& other)
    : Policy(other), policy_(std::make_unique<LearnerPolicy>(*other.policy_)) {}
LogPhe::LogPhe(LogPhe&&) noexcept = default;
LogPhe& LogPhe::operator=(LogPhe other) noexcept {
  std::swap(policy_, other.policy_);
  return *this;
}
LogPhe::~LogPhe() = default;

namespace {

LogPheLearner& learner_of(LearnerPolicy& policy) {
  return static_cast<LogPheLearner&>(policy.learner());
}

}  // namespace

ArmId LogPhe::select(Rng& rng) { return policy_->select(rng); }
Result<void> LogPhe::update(ArmId arm, double reward) { return policy_->update(arm, reward); }
Result<std::size_t> LogPhe::select(const Actions& actions, Rng& rng) {
  return policy_->select(actions, rng);
}
Result<void> LogPhe::update(std::span<const double> features, double reward) {
  return policy_->update(features, reward);
}
Result<void> LogPhe::decide(Rng& rng, const DecideOptions& options, Decision& decision) {
  return policy_->decide(rng, options, decision);
}
Result<void> LogPhe::decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                            Decision& decision) {
  return policy_->decide(actions, rng, options, decision);
}
Result<std::string> LogPhe::save() const { return policy_->save(); }
Result<void> LogPhe::load(std::string_view state) { return policy_->load(state); }
Result<void> LogPhe::merge(const Policy& other) {
  const auto* same = dynamic_cast<const LogPhe*>(&other);
  return policy_->merge(same != nullptr ? *same->policy_ : other);
}
const History& LogPhe::history() const noexcept { return policy_->history(); }
std::span<const double> LogPhe::estimate() const noexcept {
  return learner_of(*policy_).estimate();
}
void LogPhe::fit(Rng& rng) { policy_->fit(rng); }
const LogisticFit& LogPhe::last_fit() const noexcept { return learner_of(*policy_).last_fit(); }
std::uint64_t LogPhe::separable_fits() const noexcept {
  return learner_of(*policy_).separable_fits();
}
const LogisticWork& LogPhe::work() const noexcept { return learner_of(*policy_).model().work(); }

PolicyEntry log_phe_entry() {
  return {
      "logphe",
      "perturbed-history exploration in a logistic bandit (Section 3.3); rewards are 0 or 1",
      with_common_keys(
          {{"a", "0.5", "perturbation scale: pseudo-rewards per observed reward, > 0"},
           {"ridge", "0.5", "regularisation lambda of lambda |theta|^2; 0 is maximum likelihood"},
           {"stop", "arm", "fit until: arm (the arm is certain) | gradient (theta converged)"},
           {"centred", "false", "noise of mean 0 on the rewards instead of pseudo-rewards"},
           {"memory", "all", memory_meaning}}),
      [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
        LogPheOptions options;
        options.perturbation_scale = p.real("a");
        options.ridge = p.real("ridge");
        options.stop = static_cast<LogisticStop>(p.choice("stop", {"arm", "gradient"}));
        options.centred = p.flag("centred");
        options.memory = read_memory(p);
        return make_policy(p, context,
                           [&](Start start) {
                             options.start = start;
                             return LogPheLearner::create(context.arms, options);
                           },
                           {.fixed = Start::basis, .contexts = Start::prior, .has_prior = true});
      }};
}

}  // namespace phe
