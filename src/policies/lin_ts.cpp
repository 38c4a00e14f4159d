#include "policies/lin_ts.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementary.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LinTs> LinTs::create(const Arms& arms, const LinTsOptions& options) {
  LinTsOptions all = options;
  if (!all.sigma) all.sigma = all.inflated ? 1.0 : 0.5;
  if (!all.delta) all.delta = 1.0 / static_cast<double>(std::max<std::uint64_t>(all.rounds, 2));
  if (auto checked = first_error(
          {check_positive("lints", "ridge", all.ridge),
           check_positive("lints", "sigma", *all.sigma), check_positive("lints", "R", all.noise),
           check_confidence("lints", "delta", *all.delta), check_arms("lints", arms)});
      !checked)
    return checked.error();
  return LinTs(arms, all);
}

LinTs::LinTs(const Arms& arms, const LinTsOptions& options)
    : options_(options),
      rows_(arms.dimension()),
      posterior_(arms.dimension(), options.ridge, 1.0 / (*options.sigma * *options.sigma)),
      pulls_(arms.size()),
      reward_sums_(arms.size()) {}

double LinTs::inflation() const noexcept {
  if (!options_.inflated) return 1.0;
  const auto d = static_cast<double>(rows_.dimension());
  const double log_term = kernels::log(static_cast<double>(round_) / *options_.delta);
  return options_.noise * std::sqrt(9.0 * d * log_term);
}

std::span<const double> LinTs::draw(Rng& rng) { return posterior_.sample(inflation(), rng); }

void LinTs::observe(const Observation& observation) {
  const auto x = rows_.features(observation.row);
  if (observation.arm == nowhere) {
    posterior_.settle(x, observation.pulls, observation.reward_sum);
  } else {
    pulls_[observation.row] += observation.pulls;
    reward_sums_[observation.row] += observation.reward_sum;
  }
  if (posterior_.due()) settle();
  posterior_.follow(x, observation.pulls, observation.reward_sum);
  round_ += observation.pulls;
}

void LinTs::settle() {
  for (RowId row = 0; row < pulls_.size(); ++row)
    if (pulls_[row] > 0) posterior_.settle(rows_.features(row), pulls_[row], reward_sums_[row]);
  std::ranges::fill(pulls_, 0);
  std::ranges::fill(reward_sums_, 0.0);
}

void LinTs::identify(Archive& archive) {
  archive.same(options_.ridge, "ridge");
  archive.same(*options_.sigma, "sigma");
  archive.same(options_.inflated, "inflated");
  archive.same(options_.noise, "R");
  archive.same(*options_.delta, "delta");
}

void LinTs::persist(Archive& archive) {
  posterior_.persist(archive);
  archive(round_);
  archive.fixed(pulls_);
  archive.fixed(reward_sums_);
}

void LinTs::merge(const Learner& other) {
  const auto& same = dynamic_cast<const LinTs&>(other);
  posterior_.merge(same.posterior_);
  round_ += same.round_ - 1;
}

PolicyEntry lin_ts_entry() {
  return {"lints", "Thompson sampling: an arm that is best under a draw from the posterior",
          with_common_keys(
              {{"ridge", "1", "the prior is N(0, I / ridge), > 0"},
               {"sigma", "auto", "scale of the reward noise, > 0; auto: 0.5, or 1 when inflated"},
               {"inflated", "false",
                "the form with a regret bound (Agrawal & Goyal 2013): draws R sqrt(9 d "
                "log(t/delta)) times wider"},
               {"R", "0.5", "rewards are R-sub-Gaussian, when inflated"},
               {"delta", "auto", "probability of an error, when inflated; auto: 1/n"}}),
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LinTsOptions options;
            options.ridge = p.real("ridge");
            options.sigma = real_or_auto(p, "sigma");
            options.inflated = p.flag("inflated");
            options.noise = p.real("R");
            options.delta = real_or_auto(p, "delta");
            options.rounds = context.rounds;
            return make_policy(p, context, [&] { return LinTs::create(context.arms, options); });
          }};
}

}  // namespace phe
