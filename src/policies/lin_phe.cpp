#include "phe/lin_phe.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/padded.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "theory/choice.hpp"

namespace phe {

namespace {

constexpr double largest_ridge = 1e100;
// Pseudo-rewards are drawn exactly up to this many of an arm.
constexpr double most_trials = 0x1p40;

Result<void> check(const LinPheOptions& options) {
  if (!(options.ridge > 0) || !(options.ridge <= largest_ridge))
    return invalid("linphe: ridge must be > 0 and at most {}, got {}", largest_ridge,
                   options.ridge);
  const auto [low, high] = options.rewards;
  if (!(low < high) || !std::isfinite(high - low))
    return invalid("linphe: the reward range must be finite with low < high, got [{}, {}]", low,
                   high);
  if (options.schedule == ScaleSchedule::linear && options.rounds < 1)
    return invalid("linphe: the linear schedule needs rounds >= 1, got {}", options.rounds);
  return {};
}

Result<void> check(const History& history, const Arms& arms, const LinPheOptions& options) {
  if (history.rows() != arms.size())
    return invalid("linphe: the history has {} rows, but there are {} arms", history.rows(),
                   arms.size());
  const auto [low, high] = options.rewards;
  for (ArmId arm = 0; arm < history.rows(); ++arm) {
    const auto pulls = static_cast<double>(history.pulls(arm));
    const double sum = history.reward_sum(arm);
    // A sum of rewards may step over the edge by its rounding.
    const double slack = 1e-9 * pulls * (high - low);
    if (!(sum >= pulls * low - slack && sum <= pulls * high + slack))
      return invalid("linphe: history, row {}: {} rewards in [{}, {}] cannot add up to {}", arm,
                     history.pulls(arm), low, high, sum);
    if (pulls * options.perturbation_scale > most_trials)
      return invalid("linphe: history, row {}: a times the pulls must be at most 2^40, got {} * {}",
                     arm, options.perturbation_scale, history.pulls(arm));
  }
  return {};
}

// The key `theory`: a and lambda of Table 1.
Result<void> apply_theory(const Parameters& p, const PolicyContext& context, double ridge,
                          bool shifted, LinPheOptions& options) {
  if (p.given("a")) return invalid("policy linphe: theory sets a itself; leave a out");
  theory::ChoiceOptions choice;
  if (shifted) choice.reading = theory::Reading::as_written;
  if (p.given("ridge")) choice.ridge = ridge;
  if (const std::string text = p.text("norm"); text != "auto") {
    choice.norm = parse_number<double>(text);
    if (!choice.norm)
      return invalid("policy linphe: norm must be auto or a number, got '{}'", text);
  }
  const auto constants = theory::choose_constants(context.arms, context.rounds, choice);
  if (!constants) return invalid("policy linphe: theory: {}", constants.error().message);
  options.perturbation_scale = constants->a;
  options.ridge = constants->lambda;
  return {};
}

}  // namespace

Result<LinPhe> LinPhe::create(Arms arms, const LinPheOptions& options) {
  History none(arms.size());
  return create(std::move(arms), options, std::move(none));
}

Result<LinPhe> LinPhe::create(Arms arms, const LinPheOptions& options, History history) {
  if (auto checked = check(options); !checked) return checked.error();
  const auto scale = PerturbationScale::from(options.perturbation_scale);
  if (!scale) return invalid("linphe: {}", scale.error().message);
  if (auto checked = check_features("linphe", arms); !checked) return checked.error();
  if (auto checked = check(history, arms, options); !checked) return checked.error();
  return LinPhe(std::move(arms), options, scale.value(), std::move(history));
}

LinPhe::LinPhe(Arms arms, const LinPheOptions& options, PerturbationScale scale, History history)
    : arms_(std::move(arms)),
      scorer_(arms_),
      options_(options),
      history_(std::move(history)),
      pseudo_rewards_(scale, arms_),
      // G_0 = (a + 1) lambda I.
      model_(arms_.dimension(), (scale.value() + 1) * options.ridge),
      initial_(arms_.independent_arms()),
      reward_part_(padded(arms_.dimension())),
      pseudo_mean_(reward_part_.size()),
      target_(reward_part_.size()) {
  for (ArmId arm = 0; arm < arms_.size(); ++arm) {
    const std::uint64_t pulls = history_.pulls(arm);
    if (pulls == 0) continue;
    std::erase(initial_, arm);
    const auto [low, high] = options_.rewards;
    const double shifted = history_.reward_sum(arm) - static_cast<double>(pulls) * low;
    absorb(arm, pulls, shifted / (high - low));
  }
  std::ranges::reverse(initial_);  // pulled from the back
}

ArmId LinPhe::select(Rng& rng) {
  // Lines 10-11: the first d rounds pull a basis, each arm once.
  if (!initial_.empty()) return initial_.back();
  fit(rng);
  // Line 9: I_t = argmax x_i^T theta.
  return scorer_.best(estimate(), rng);
}

void LinPhe::fit(Rng& rng) noexcept {
  // Line 6: fresh pseudo-rewards; the model sees only sum_i x_i U_i with U_i ~ B(a T_i, 1/2).
  const auto pseudo_part = pseudo_rewards_.draw(rng);
  // Line 8, as equation (9): theta = G^-1 sum_i x_i (V_i + U_i).
  if (options_.schedule == ScaleSchedule::constant) {
    model_.solve(reward_part_, pseudo_part);
    return;
  }
  const double c = shrinkage();
  for (std::size_t j = 0; j < arms_.dimension(); ++j)
    target_[j] = reward_part_[j] + pseudo_part[j] - (1.0 - c) * (pseudo_part[j] - pseudo_mean_[j]);
  model_.solve(target_);
}

double LinPhe::shrinkage() const noexcept {
  const auto n = static_cast<double>(options_.rounds);
  const double left = n - static_cast<double>(history_.total_pulls());
  return left > 0 ? std::sqrt(left / n) : 0.0;
}

void LinPhe::update(ArmId arm, double reward) {
  assert(arm < arms_.size() && reward >= options_.rewards.low && reward <= options_.rewards.high);
  if (!initial_.empty()) std::erase(initial_, arm);
  history_.add(arm, reward);
  absorb(arm, 1, options_.rewards.to_unit(reward));
}

void LinPhe::absorb(ArmId arm, std::uint64_t pulls, double unit_reward_sum) noexcept {
  const auto new_pulls = static_cast<double>(pulls);
  const auto new_trials = static_cast<double>(pseudo_rewards_.set_pulls(arm, history_.pulls(arm)));
  // Line 7: the pulls and their pseudo-rewards are rows of the same regression.
  const double weight = options_.gram == Gram::paper
                            ? (pseudo_rewards_.scale().value() + 1) * new_pulls
                            : new_pulls + new_trials;
  const auto x = pseudo_rewards_.features(arm);
  model_.add_padded(x, weight);
  const double sum = unit_reward_sum - (options_.centred ? 0.5 * new_trials : 0.0);
  kernels::add_scaled(x.data(), sum, x.size(), reward_part_.data());
  if (options_.schedule != ScaleSchedule::constant)
    kernels::add_scaled(x.data(), 0.5 * new_trials, x.size(), pseudo_mean_.data());
}

PolicyEntry lin_phe_entry() {
  return {"linphe",
          "perturbed-history exploration in a linear bandit (Algorithm 1)",
          {{"a", "0.5", "perturbation scale: pseudo-rewards per observed reward, > 0"},
           {"ridge", "1", "regularisation lambda, > 0", false, "theory"},
           {"gram", "paper", "Gram matrix for fractional a: paper | authors"},
           {"centred", "false", "pseudo-rewards of mean 0 instead of 1/2"},
           {"schedule", "constant", "scale in round t: constant = a | linear = a (1 - t/n)"},
           {"theory", "false", "a and ridge of the paper's Table 1 (phe bound)"},
           {"norm", "auto", "theory: a bound on |theta*|; auto follows from means in [0, 1]"},
           {"shifted", "false", "theory: shift theta* by a/2, as the proof does"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LinPheOptions options;
            options.perturbation_scale = p.real("a");
            options.ridge = p.real("ridge");
            options.gram = static_cast<Gram>(p.choice("gram", {"paper", "authors"}));
            options.centred = p.flag("centred");
            options.schedule = ScaleSchedule(p.choice("schedule", {"constant", "linear"}));
            options.rounds = context.rounds;
            options.rewards = context.rewards;
            const bool theory = p.flag("theory");
            const bool shifted = p.flag("shifted");
            if (!p.error()) return p.error().error();
            if (!theory && (p.given("norm") || p.given("shifted")))
              return invalid("policy linphe: norm and shifted go with theory");
            if (theory)
              if (auto done = apply_theory(p, context, options.ridge, shifted, options); !done)
                return done.error();
            auto policy = LinPhe::create(context.arms, options);
            if (!policy) return policy.error();
            return std::make_unique<LinPhe>(std::move(policy).value());
          }};
}

}  // namespace phe
