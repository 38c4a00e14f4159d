#include <algorithm>
#include <cmath>

#include "kernels/elementary.hpp"
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
                 {"fade", &O::fade, check_probability,
                  "pseudo-rewards per observed reward: a h^fade, h its leverage; 0: a, always"},
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
  if (options.fade > 0 && options.gram == Gram::authors)
    return invalid("linphe: fade has a Gram matrix of its own; leave gram out");
  return first_error({check_range("linphe", options.rewards), check_arms("linphe", arms),
                      check_memory_key("linphe", arms, options.memory)});
}

namespace {

constexpr double least_leverage = 1e-300;  // of a row of zeros
constexpr double pulls_one_by_one = 1000;
constexpr double block = 1.0 / 64;  // of the pulls before: an error of less than 1e-5

// The ridge is like lambda observations of each unit vector, and its noise like theirs.
double prior_variance(const LinPheOptions& options) {
  return options.start == Start::prior ? 0.25 * options.perturbation_scale * options.ridge : 0.0;
}

}  // namespace

LinPheLearner::LinPheLearner(const Arms& arms, const LinPheOptions& options)
    : Configured(options),
      rows_(arms.dimension()),
      history_(arms, options.perturbation_scale, options.centred, prior_variance(options),
               options.schedule != ScaleSchedule::constant, options.fade > 0),
      // G_0 = (a + 1) lambda I.
      model_(arms.dimension(), weight_of_pulls() * options.ridge) {}

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

// Line 7: the pulls and their pseudo-rewards are rows of the same regression. Those that fade are
// not: the history counts alone, and their mean is a bonus on what is known least.
double LinPheLearner::weight_of_pulls() const noexcept {
  return options_.fade > 0 ? 1.0 : history_.law().a() + 1;
}

void LinPheLearner::observe(const Observation& observation) {
  const auto x = rows_.features(observation.row);
  pulls_ += observation.pulls;
  if (options_.fade > 0) {
    model_.add_padded(x, observation.mass());
    history_.add(observation, x, news(x, observation));
  } else {
    const double flips = history_.add(observation, x);
    const bool paper = options_.gram == Gram::paper || history_.law().of_each(observation);
    model_.add_padded(x, paper ? weight_of_pulls() * observation.mass()
                               : static_cast<double>(observation.pulls) + flips);
  }
  if (const std::size_t count = rows_to_fold(rows_.size(), options_.memory); count > 0) {
    history_.fold(rows_, count);
    rows_.drop_first(count);
  }
}

// sum over the pulls just added of a h^fade. h = x^T G^-1 x, with the G that has the pull, is its
// leverage: the share of the estimate at x that it decides, 1 / T or less for the T-th pull.
double LinPheLearner::news(std::span<const double> x,
                           const Observation& observation) const noexcept {
  // x^T G^-1 x, without the pulls.
  const double before = observation.weight * score_of(model_.gain(), x);
  if (!(before > least_leverage)) return 0.0;
  const auto share = [&](double pull) {
    return kernels::exp(options_.fade * kernels::log(before / (1.0 + pull * before)));
  };
  double sum = 0.0;
  double pull = 1.0;
  const auto last = static_cast<double>(observation.pulls);
  for (; pull <= last && pull <= pulls_one_by_one; pull += 1.0) sum += share(pull);
  // Many at once, as a warm start brings them: by blocks so short that the share hardly falls.
  while (pull <= last) {
    const double count = std::min(std::ceil(pull * block), last - pull + 1.0);
    sum += count * share(pull + 0.5 * (count - 1.0));
    pull += count;
  }
  return options_.perturbation_scale * sum;
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
