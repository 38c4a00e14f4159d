#include "policies/lin_ts.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementary.hpp"
#include "policies/entries.hpp"

namespace phe {

const Keys<LinTsOptions>& LinTs::keys() {
  using O = LinTsOptions;
  static const Keys<O> keys(
      "lints",
      {{"ridge", &O::ridge, check_positive, "the prior is N(0, I / ridge), > 0"},
       {"sigma", &O::sigma, check_positive,
        "scale of the reward noise, > 0; auto: 0.5, or 1 when inflated"},
       {"inflated", &O::inflated,
        "the form with a regret bound (Agrawal & Goyal 2013): draws R sqrt(9 d log(t/delta)) times "
        "wider"},
       {"R", &O::noise, check_positive, "rewards are R-sub-Gaussian, when inflated"},
       {"delta", &O::delta, check_confidence, "probability of an error, when inflated; auto: 1/n"},
       {"rounds", &O::rounds}});
  return keys;
}

LinTs::LinTs(const Arms& arms, const LinTsOptions& options)
    : Configured(options),
      sigma_(options.sigma.value_or(options.inflated ? 1.0 : 0.5)),
      delta_(options.delta.value_or(one_in(options.rounds))),
      rows_(arms.dimension()),
      posterior_(arms.dimension(), options.ridge, 1.0 / (sigma_ * sigma_)),
      pulls_(arms.size()),
      reward_sums_(arms.size()) {}

double LinTs::inflation() const noexcept {
  if (!options_.inflated) return 1.0;
  const auto d = static_cast<double>(rows_.dimension());
  const double log_term = kernels::log(static_cast<double>(round_) / delta_);
  return options_.noise * std::sqrt(9.0 * d * log_term);
}

std::span<const double> LinTs::draw(Rng& rng) { return posterior_.sample(inflation(), rng); }

void LinTs::observe(const Observation& observation) {
  const auto x = rows_.features(observation.row);
  if (observation.arm == nowhere || observation.weight != 1.0) {
    posterior_.settle(x, observation.mass(), observation.reward_sum);
  } else {
    pulls_[observation.row] += observation.pulls;
    reward_sums_[observation.row] += observation.reward_sum;
  }
  if (posterior_.due()) settle();
  posterior_.follow(x, observation.mass(), observation.reward_sum);
  round_ += observation.pulls;
}

void LinTs::settle() {
  for (RowId row = 0; row < pulls_.size(); ++row)
    if (pulls_[row] > 0)
      posterior_.settle(rows_.features(row), static_cast<double>(pulls_[row]), reward_sums_[row]);
  std::ranges::fill(pulls_, 0);
  std::ranges::fill(reward_sums_, 0.0);
}

void LinTs::persist(Archive& archive) {
  posterior_.persist(archive);
  archive(round_);
  archive.fixed(pulls_);
  archive.fixed(reward_sums_);
  for (std::size_t row = rows_.size(); row < pulls_.size(); ++row)
    archive.require(pulls_[row] == 0, "pulls of a row that does not exist");
}

void LinTs::merge(const Learner& other) {
  const auto& same = dynamic_cast<const LinTs&>(other);
  posterior_.merge(same.posterior_);
  round_ += same.round_ - 1;
}

PolicyEntry lin_ts_entry() {
  return entry_of<LinTs>("Thompson sampling: an arm that is best under a draw from the posterior");
}

}  // namespace phe
