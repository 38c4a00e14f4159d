#include "phe/glm_phe.hpp"

#include "policies/entries.hpp"
#include "policies/glm_phe_learner.hpp"
#include "policies/warm_start.hpp"

namespace phe {

namespace {

template <class Link>
constexpr std::string_view name_of = "logphe";
template <>
constexpr std::string_view name_of<LogLink> = "poisphe";

// As the data's, in the middle of the range: there an observation adds (1 + a) mu' x x^T to the
// Hessian and a/4 M^2 x x^T to the covariance of the noise, so the prior's 2 lambda I goes with
// a / (1 + a) M^2 / (4 mu') of it, M^2 / (4 mu') being 1 for the logit and M / 2 for the log link.
// Centred pseudo-rewards add nothing to the Hessian. Flips are of rewards in [0, 1]: divided by
// M^2.
template <class Link>
double prior_variance(const GlmPheOptions& options) {
  if (options.start != Start::prior) return 0.0;
  const double a = options.perturbation_scale;
  const double share = 2.0 * options.ridge * (options.centred ? a : a / (1.0 + a));
  return Link::unit_rewards ? share : share / (2.0 * options.rewards.high);
}

}  // namespace

template <class Link>
const Keys<GlmPheOptions>& GlmPheLearner<Link>::keys() {
  using O = GlmPheOptions;
  static const Keys<O> keys(
      name_of<Link>,
      {{"a", &O::perturbation_scale, check_scale,
        "perturbation scale: pseudo-rewards per observed reward, > 0"},
       {"ridge", &O::ridge, nullptr,
        "regularisation lambda of lambda |theta|^2; 0 is maximum likelihood"},
       {"stop",
        &O::stop,
        {{"arm", GlmStop::arm}, {"gradient", GlmStop::gradient}},
        "fit until: arm (the arm is certain) | gradient (theta converged)"},
       {"centred", &O::centred, "noise of mean 0 on the rewards instead of pseudo-rewards"},
       {"memory", &O::memory, memory_meaning},
       {"start", &O::start, start_names()}});
  return keys;
}

template <class Link>
Result<void> GlmPheLearner<Link>::check(const Arms& arms, const GlmPheOptions& options) {
  return first_error({GlmLearner<Link>::check(name_of<Link>, arms, options.ridge, options.rewards),
                      check_memory_key(name_of<Link>, arms, options.memory)});
}

template <class Link>
GlmPheLearner<Link>::GlmPheLearner(const Arms& arms, const GlmPheOptions& options)
    : GlmPheLearner::Configured(options, arms, options.ridge, options.rewards),
      history_(arms, options.perturbation_scale, options.centred, prior_variance<Link>(options)),
      target_(Link::unit_rewards ? 0 : arms.dimension()) {}

template <class Link>
std::span<const double> GlmPheLearner<Link>::draw_target(Rng& rng) {
  const auto drawn = history_.draw(model_.rows(), history_.law().spread(), rng);
  if constexpr (Link::unit_rewards) return drawn.first(this->theta_.size());
  for (std::size_t j = 0; j < target_.size(); ++j) target_[j] = in_units(drawn[j]);
  return target_;
}

template <class Link>
std::span<const double> GlmPheLearner<Link>::draw(Rng& rng) {
  // Section 3.3 in place of line 8: T_i + ceil(a T_i) observations, which sum to V_i + U_i.
  this->fit(draw_target(rng));
  separable_fits_ += this->last_fit_.separable ? 1 : 0;
  return this->theta_;
}

// Line 9: argmax x_i^T theta; a link changes no order.
template <class Link>
ArmId GlmPheLearner<Link>::choose(Offered& offered, Rng& rng) {
  if (this->options_.stop == GlmStop::gradient) return offered.best(draw(rng), rng);
  const ArmId arm = this->choose_certainly(draw_target(rng), offered, rng);
  separable_fits_ += this->last_fit_.separable ? 1 : 0;
  return arm;
}

template <class Link>
void GlmPheLearner<Link>::observe(const Observation& observation) {
  const auto pulls = static_cast<double>(observation.pulls);
  const double flips = history_.add(observation, model_.rows().features(observation.row));
  const double pseudo = flips * history_.law().mean_factor();  // pseudo-rewards, half of them 1
  this->count(observation);
  // Line 7: the pulls and their pseudo-rewards are observations of the same model.
  if (this->options_.centred)
    model_.add(observation.row, pulls, in_units(observation.reward_sum));
  else
    model_.add(observation.row, pulls + pseudo, in_units(observation.reward_sum + 0.5 * pseudo));
  fold_old_rows();
}

template <class Link>
void GlmPheLearner<Link>::fold_old_rows() {
  const std::size_t count = rows_to_fold(model_.rows().size(), this->options_.memory);
  if (count == 0 || !model_.can_fold()) return;
  history_.fold(model_.rows(), count);
  model_.fold(count);
  auto& sums = this->reward_sums_;
  sums.erase(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(count));
}

template <class Link>
void GlmPheLearner<Link>::persist(Archive& archive) {
  GlmLearner<Link>::persist(archive);
  history_.persist(archive, model_.rows().size());
  archive(separable_fits_);
}

template <class Link>
Result<void> GlmPheLearner<Link>::mergeable() const {
  if (!this->options_.memory) return {};
  return invalid("{}: with bounded memory each has a summary around a centre of its own",
                 name_of<Link>);
}

template <class Link>
Result<GlmPhe<Link>> GlmPhe<Link>::create(Arms arms, const GlmPheOptions& options) {
  return wrap(make_phe<GlmPheLearner<Link>>(std::move(arms), options));
}
template <class Link>
Result<GlmPhe<Link>> GlmPhe<Link>::create(Arms arms, const GlmPheOptions& options,
                                          const History& history) {
  return wrap(make_phe<GlmPheLearner<Link>>(std::move(arms), options, history));
}
template <class Link>
Result<GlmPhe<Link>> GlmPhe<Link>::create(std::size_t dimension, const GlmPheOptions& options) {
  return wrap(make_phe<GlmPheLearner<Link>>(Arms::none(dimension), options));
}
template <class Link>
Result<GlmPhe<Link>> GlmPhe<Link>::wrap(Result<std::unique_ptr<LearnerPolicy>> policy) {
  if (!policy) return policy.error();
  return GlmPhe(std::move(policy).value());
}

template <class Link>
const GlmPheLearner<Link>& GlmPhe<Link>::learner() const noexcept {
  return static_cast<const GlmPheLearner<Link>&>(policy_->learner());
}
template <class Link>
std::span<const double> GlmPhe<Link>::estimate() const noexcept {
  return learner().estimate();
}
template <class Link>
void GlmPhe<Link>::fit(Rng& rng) {
  if (policy_->history().rows() > 0)
    policy_->fit(rng);
  else  // no actions whose order could end it
    static_cast<GlmPheLearner<Link>&>(policy_->learner()).draw(rng);
}
template <class Link>
const GlmFit& GlmPhe<Link>::last_fit() const noexcept {
  return learner().last_fit();
}
template <class Link>
std::uint64_t GlmPhe<Link>::separable_fits() const noexcept {
  return learner().separable_fits();
}
template <class Link>
const GlmWork& GlmPhe<Link>::work() const noexcept {
  return learner().model().work();
}

template class GlmPheLearner<LogitLink>;
template class GlmPheLearner<LogLink>;
template class GlmPhe<LogitLink>;
template class GlmPhe<LogLink>;

namespace {

constexpr Shape shape{.fixed = Start::basis, .contexts = Start::prior, .has_prior = true};

}  // namespace

PolicyEntry log_phe_entry() {
  return entry_of<LogPheLearner>(
      "perturbed-history exploration in a logistic bandit (Section 3.3); rewards in [0, 1]", shape);
}
PolicyEntry pois_phe_entry() {
  return entry_of<PoisPheLearner>(
      "perturbed-history exploration with a log link; counts or other rewards in [0, M]", shape);
}

}  // namespace phe
