#include "policies/index_policies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/best_arm.hpp"
#include "kernels/elementary.hpp"
#include "policies/entries.hpp"

namespace phe {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Result<void> check_not_negative(std::string_view policy, std::string_view key, double value) {
  if (value >= 0 && value <= 1e6) return {};
  return invalid("{}: {} must be from 0 to 1e+06, got {}", policy, key, value);
}

}  // namespace

IndexLearner::IndexLearner(const Arms& arms)
    : rows_(arms.dimension()), sums_(arms.size()), indices_(padded(arms.size()), -infinity) {}

void IndexLearner::compute_indices() noexcept {
  const double log_round = kernels::log(static_cast<double>(sums_.total + 1));
  for (std::size_t arm = 0; arm < sums_.size(); ++arm)
    indices_[arm] = sums_.pulls[arm] == 0
                        ? infinity
                        : index(sums_.mean(arm), static_cast<double>(sums_.pulls[arm]), log_round);
}

ArmId IndexLearner::choose(Offered& /*offered*/, Rng& rng) {
  compute_indices();
  return best_arm(indices_, rng);
}

bool IndexLearner::probabilities(Offered& /*offered*/, std::span<double> of_each) {
  compute_indices();
  std::copy_n(indices_.begin(), of_each.size(), of_each.begin());
  share_among_best(of_each);
  return true;
}

const Keys<Ucb1Options>& Ucb1::keys() {
  static const Keys<Ucb1Options> keys(
      "ucb1", {{"width", &Ucb1Options::width, check_not_negative,
                "of the bonus sqrt(width ln t / pulls): 2 in theory, less in practice"}});
  return keys;
}

double Ucb1::index(double mean, double pulls, double log_round) const noexcept {
  return mean + std::sqrt(options_.width * log_round / pulls);
}

const Keys<KlUcbOptions>& KlUcb::keys() {
  static const Keys<KlUcbOptions> keys("klucb",
                                       {{"c", &KlUcbOptions::c, check_not_negative,
                                         "of c ln ln t beside ln t: 3 in theory, 0 in practice"}});
  return keys;
}

double KlUcb::index(double mean, double pulls, double log_round) const noexcept {
  const double more = log_round > 1.0 ? options_.c * kernels::log(log_round) : 0.0;
  return largest_mean_within(std::clamp(mean, 0.0, 1.0), (log_round + more) / pulls);
}

double bernoulli_divergence(double p, double q) noexcept {
  double sum = 0.0;
  if (p > 0) sum += p * (kernels::log(p) - kernels::log(q));
  if (p < 1) sum += (1.0 - p) * (kernels::log(1.0 - p) - kernels::log(1.0 - q));
  return sum;
}

double largest_mean_within(double p, double bound) noexcept {
  double low = p;
  double high = 1.0;
  while (high - low > 0x1p-50) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    (bernoulli_divergence(p, middle) <= bound ? low : high) = middle;
  }
  return low;
}

PolicyEntry ucb1_entry() {
  return entry_of<Ucb1>("UCB1 in a multi-armed bandit; ignores features",
                        {.fixed_arms_only = true});
}
PolicyEntry kl_ucb_entry() {
  return entry_of<KlUcb>("KL-UCB of Bernoulli rewards in a multi-armed bandit; ignores features",
                         {.fixed_arms_only = true});
}

}  // namespace phe
