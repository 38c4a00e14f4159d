#include <cmath>

#include "policies/lin_phe_learner.hpp"
#include "policies/warm_start.hpp"

namespace phe {

const Keys<LinPheOptions>& LinPheLearner::keys() {
  using O = LinPheOptions;
  static const Keys<O> keys(
      "linphe", {{"a", &O::perturbation_scale, check_scale,
                  "perturbation scale: pseudo-rewards per observed reward, > 0"},
                 {"ridge", &O::ridge, nullptr, "regularisation lambda, > 0"},
                 {"gram",
                  &O::gram,
                  {{"paper", Gram::paper}, {"authors", Gram::authors}},
                  "Gram matrix for fractional a, fixed arms: paper | authors"},
                 {"centred", &O::centred, "pseudo-rewards of mean 0 instead of 1/2"},
                 {"schedule",
                  &O::schedule,
                  {{"constant", ScaleSchedule::constant}, {"linear", ScaleSchedule::linear}},
                  "scale in round t: constant = a | linear = a (1 - (t-1)/n)"},
                 {"memory", &O::memory, memory_meaning},
                 {"rounds", &O::rounds},
                 {"start", &O::start, start_names()}});
  return keys;
}

Result<void> LinPheLearner::check(const Arms& arms, const LinPheOptions& options) {
  constexpr double largest_ridge = 1e100;
  if (!(options.ridge > 0) || !(options.ridge <= largest_ridge))
    return invalid("linphe: ridge must be > 0 and at most {}, got {}", largest_ridge,
                   options.ridge);
  if (options.schedule == ScaleSchedule::linear && options.rounds < 1)
    return invalid("linphe: the linear schedule needs rounds >= 1, got {}", options.rounds);
  return first_error({check_range("linphe", options.rewards), check_arms("linphe", arms),
                      check_memory_key("linphe", arms, options.memory)});
}

namespace {

// The ridge is like lambda observations of each unit vector, and its noise like theirs.
double prior_variance(const LinPheOptions& options) {
  return options.start == Start::prior ? 0.25 * options.perturbation_scale * options.ridge : 0.0;
}

}  // namespace

LinPheLearner::LinPheLearner(const Arms& arms, const LinPheOptions& options)
    : Configured(options),
      rows_(arms.dimension()),
      history_(arms, options.perturbation_scale, options.centred, prior_variance(options),
               options.schedule != ScaleSchedule::constant),
      // G_0 = (a + 1) lambda I.
      model_(arms.dimension(), (history_.law().a() + 1) * options.ridge) {}

std::span<const double> LinPheLearner::draw(Rng& rng) {
  // Lines 6 and 8, as equation (9): theta = G^-1 sum_i x_i (V_i + U_i).
  const double spread = this->spread();
  if (spread == 1.0) return model_.solve(history_.rewards(), history_.draw_flips(rows_, rng));
  return model_.solve(history_.draw(rows_, spread, rng));
}

double LinPheLearner::spread() const noexcept {
  const double spread = history_.law().spread();
  if (options_.schedule == ScaleSchedule::constant) return spread;
  const auto n = static_cast<double>(options_.rounds);
  const double left = n - static_cast<double>(pulls_);
  return left > 0 ? spread * std::sqrt(left / n) : 0.0;
}

void LinPheLearner::observe(const Observation& observation) {
  const auto pulls = static_cast<double>(observation.pulls);
  const auto x = rows_.features(observation.row);
  const double flips = history_.add(observation, x);
  pulls_ += observation.pulls;
  // Line 7: the pulls and their pseudo-rewards are rows of the same regression.
  const FlipLaw& law = history_.law();
  const bool paper = options_.gram == Gram::paper || law.contexts();
  model_.add_padded(x, paper ? (law.a() + 1) * pulls : pulls + flips);
  if (const std::size_t count = rows_to_fold(rows_.size(), options_.memory); count > 0) {
    history_.fold(rows_, count);
    rows_.drop_first(count);
  }
}

void LinPheLearner::persist(Archive& archive) {
  history_.persist(archive, rows_.size());
  model_.persist(archive);
  archive(pulls_);
}

void LinPheLearner::merge(const Learner& other) {
  const auto& same = dynamic_cast<const LinPheLearner&>(other);
  model_.merge(same.model_);
  history_.merge(same.history_, same.rows_, rows_);
  pulls_ += same.pulls_;
}

Result<LinPhe> LinPhe::create(Arms arms, const LinPheOptions& options) {
  return wrap(make_phe<LinPheLearner>(std::move(arms), options));
}
Result<LinPhe> LinPhe::create(Arms arms, const LinPheOptions& options, const History& history) {
  return wrap(make_phe<LinPheLearner>(std::move(arms), options, history));
}
Result<LinPhe> LinPhe::create(std::size_t dimension, const LinPheOptions& options) {
  return wrap(make_phe<LinPheLearner>(Arms::none(dimension), options));
}
Result<LinPhe> LinPhe::wrap(Result<std::unique_ptr<LearnerPolicy>> policy) {
  if (!policy) return policy.error();
  return LinPhe(std::move(policy).value());
}

std::span<const double> LinPhe::estimate() const noexcept {
  return static_cast<const LinPheLearner&>(policy_->learner()).estimate();
}
void LinPhe::fit(Rng& rng) { static_cast<LinPheLearner&>(policy_->learner()).draw(rng); }

}  // namespace phe
