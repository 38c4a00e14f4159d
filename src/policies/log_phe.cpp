#include "policies/entries.hpp"
#include "policies/log_phe_learner.hpp"
#include "policies/warm_start.hpp"

namespace phe {

const Keys<LogPheOptions>& LogPheLearner::keys() {
  using O = LogPheOptions;
  static const Keys<O> keys(
      "logphe",
      {{"a", &O::perturbation_scale, check_scale,
        "perturbation scale: pseudo-rewards per observed reward, > 0"},
       {"ridge", &O::ridge, nullptr,
        "regularisation lambda of lambda |theta|^2; 0 is maximum likelihood"},
       {"stop",
        &O::stop,
        {{"arm", LogisticStop::arm}, {"gradient", LogisticStop::gradient}},
        "fit until: arm (the arm is certain) | gradient (theta converged)"},
       {"centred", &O::centred, "noise of mean 0 on the rewards instead of pseudo-rewards"},
       {"memory", &O::memory, memory_meaning},
       {"start", &O::start, start_names()}});
  return keys;
}

Result<void> LogPheLearner::check(const Arms& arms, const LogPheOptions& options) {
  return first_error({LogisticModel::check("logphe", arms, options.ridge),
                      check_range("logphe", options.rewards),
                      check_memory_key("logphe", arms, options.memory)});
}

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

LogPheLearner::LogPheLearner(const Arms& arms, const LogPheOptions& options)
    : Configured(options, arms, options.ridge),
      history_(arms, options.perturbation_scale, options.centred, prior_variance(options)) {}

std::span<const double> LogPheLearner::draw_target(Rng& rng) {
  return history_.draw(model_.rows(), history_.law().spread(), rng).first(theta_.size());
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
  const auto pulls = static_cast<double>(observation.pulls);
  const double flips = history_.add(observation, model_.rows().features(observation.row));
  const double pseudo = flips * history_.law().mean_factor();  // pseudo-rewards, half positive
  count(observation);
  // Line 7: the pulls and their pseudo-rewards are observations of the same model.
  if (options_.centred)
    model_.add(observation.row, pulls, observation.reward_sum);
  else
    model_.add(observation.row, pulls + pseudo, observation.reward_sum + 0.5 * pseudo);
  fold_old_rows();
}

void LogPheLearner::fold_old_rows() {
  const std::size_t count = rows_to_fold(model_.rows().size(), options_.memory);
  if (count == 0 || !model_.can_fold()) return;
  history_.fold(model_.rows(), count);
  model_.fold(count);
  successes_.erase(successes_.begin(), successes_.begin() + static_cast<std::ptrdiff_t>(count));
}

void LogPheLearner::persist(Archive& archive) {
  LogisticLearner::persist(archive);
  history_.persist(archive, model_.rows().size());
  archive(separable_fits_);
}

Result<void> LogPheLearner::mergeable() const {
  if (!options_.memory) return {};
  return invalid("logphe: with bounded memory each has a summary around a centre of its own");
}

Result<LogPhe> LogPhe::create(Arms arms, const LogPheOptions& options) {
  return wrap(make_phe<LogPheLearner>(std::move(arms), options));
}
Result<LogPhe> LogPhe::create(Arms arms, const LogPheOptions& options, const History& history) {
  return wrap(make_phe<LogPheLearner>(std::move(arms), options, history));
}
Result<LogPhe> LogPhe::create(std::size_t dimension, const LogPheOptions& options) {
  return wrap(make_phe<LogPheLearner>(Arms::none(dimension), options));
}
Result<LogPhe> LogPhe::wrap(Result<std::unique_ptr<LearnerPolicy>> policy) {
  if (!policy) return policy.error();
  return LogPhe(std::move(policy).value());
}

const LogPheLearner& LogPhe::learner() const noexcept {
  return static_cast<const LogPheLearner&>(policy_->learner());
}
std::span<const double> LogPhe::estimate() const noexcept { return learner().estimate(); }
void LogPhe::fit(Rng& rng) {
  if (policy_->history().rows() > 0)
    policy_->fit(rng);
  else  // no actions whose order could end it
    static_cast<LogPheLearner&>(policy_->learner()).draw(rng);
}
const LogisticFit& LogPhe::last_fit() const noexcept { return learner().last_fit(); }
std::uint64_t LogPhe::separable_fits() const noexcept { return learner().separable_fits(); }
const LogisticWork& LogPhe::work() const noexcept { return learner().model().work(); }

PolicyEntry log_phe_entry() {
  return entry_of<LogPheLearner>(
      "perturbed-history exploration in a logistic bandit (Section 3.3); rewards are 0 or 1",
      {.fixed = Start::basis, .contexts = Start::prior, .has_prior = true});
}

}  // namespace phe
