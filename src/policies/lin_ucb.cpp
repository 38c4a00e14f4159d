#include "policies/lin_ucb.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "kernels/elementary.hpp"
#include "kernels/optimism.hpp"
#include "kernels/score_arms.hpp"
#include "models/arm_widths.hpp"
#include "policies/best_arm.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

namespace {

// Rounding errors of the followed means and widths are thrown away after d, 2d, 4d .. pulls, while
// widths still fall by orders of magnitude, and then this often: O(K d^2 / 4096) a pull.
constexpr std::uint64_t refresh_period = 4096;

// The options with every default filled in.
LinUcbOptions completed(const Arms& arms, LinUcbOptions options) {
  if (!options.sigma) options.sigma = options.radius == Radius::authors ? 0.5 : 1.0;
  if (!options.delta)
    options.delta = 1.0 / static_cast<double>(std::max<std::uint64_t>(options.rounds, 2));
  if (!options.parameter_norm)
    options.parameter_norm = std::sqrt(static_cast<double>(arms.dimension()));
  return options;
}

double fixed_radius(const Arms& arms, const LinUcbOptions& options) {
  if (options.radius == Radius::constant) return options.width;
  const double bias = std::sqrt(options.ridge) * *options.parameter_norm;
  if (options.radius == Radius::theorem) return bias;
  const auto n = static_cast<double>(options.rounds);
  const double growth = 1.0 + n * largest_squared_norm(arms) / options.ridge;
  return bias + options.noise * std::sqrt(static_cast<double>(arms.dimension()) *
                                          kernels::log(growth / *options.delta));
}

}  // namespace

Result<LinUcb> LinUcb::create(Arms arms, const LinUcbOptions& options) {
  const LinUcbOptions all = completed(arms, options);
  if (auto checked =
          first_error({check_positive("linucb", "width", all.width),
                       check_positive("linucb", "ridge", all.ridge),
                       check_positive("linucb", "sigma", *all.sigma),
                       check_confidence("linucb", "delta", *all.delta),
                       check_positive("linucb", "R", all.noise),
                       check_positive("linucb", "S", *all.parameter_norm),
                       check_range("linucb", all.rewards), check_features("linucb", arms)});
      !checked)
    return checked.error();
  return LinUcb(std::move(arms), all);
}

LinUcb::LinUcb(Arms arms, const LinUcbOptions& options)
    : options_(options),
      model_(std::move(arms), options.ridge, 1.0 / (*options.sigma * *options.sigma)),
      fixed_radius_(fixed_radius(model_.arms(), options)),
      means_(model_.arms().view().stride),
      squared_widths_(means_.size()),
      scores_(means_.size()),
      row_(model_.arms().dimension()),
      next_refresh_(row_.size()) {
  refresh();
}

double LinUcb::radius() const noexcept {
  if (options_.radius != Radius::theorem) return fixed_radius_;
  const double growth = log_determinant_ - 2.0 * kernels::log(*options_.delta);
  return fixed_radius_ + options_.noise / *options_.sigma * std::sqrt(growth);
}

ArmId LinUcb::select(Rng& rng) {
  const auto best = kernels::best_optimistic(means_, squared_widths_, radius(), scores_);
  return best_arm(scores_, best, rng);
}

void LinUcb::update(ArmId arm, double reward) {
  assert(arm < model_.arms().size());
  const double y = options_.rewards.to_unit(reward);
  // With g = G^-1 x and c_k = x_k^T g, Sherman-Morrison gives for every arm at once
  //   |x_k|^2 -= w c_k^2 / (1 + w c),   x_k^T theta-hat += w (y - x^T theta-hat) c_k / (1 + w c),
  // where w = 1 / sigma^2 and c is that of the pulled arm.
  model_.learn(arm, y);
  kernels::score_arms(model_.arms().view(), model_.ridge().gain(), scores_);
  std::fill(scores_.begin() + static_cast<std::ptrdiff_t>(model_.arms().size()), scores_.end(),
            0.0);
  const double growth = 1.0 + model_.weight() * std::max(0.0, scores_[arm]);  // < 0 by rounding
  const double shrink = model_.weight() / growth;
  kernels::follow_pull(scores_, shrink * (y - means_[arm]), shrink, means_, squared_widths_);
  if (options_.radius == Radius::theorem) log_determinant_ += kernels::log(growth);
  if (++pulls_ == next_refresh_) {
    refresh();
    next_refresh_ += std::min(pulls_, refresh_period);
  }
}

void LinUcb::refresh() noexcept {
  const Arms& arms = model_.arms();
  kernels::score_arms(arms.view(), model_.fit(), means_);
  for (ArmId arm = 0; arm < arms.size(); ++arm) {
    arms.copy_row(arm, row_);
    squared_widths_[arm] = std::max(0.0, model_.ridge().squared_width(row_));
  }
}

PolicyEntry lin_ucb_entry() {
  return {
      "linucb",
      "optimism: the highest upper confidence bound of a linear model (OFUL, LinUCB)",
      {{"radius", "authors",
        "of the confidence set: authors (of LinPHE) | theorem (Abbasi-Yadkori et al. 2011)"},
       {"width", "auto", "a constant radius instead, > 0; 1 is the usual choice (Li et al. 2010)"},
       {"ridge", "1", "regularisation lambda, > 0"},
       {"sigma", "auto", "noise scale in the Gram matrix; auto: 0.5 for radius=authors, else 1"},
       {"delta", "auto", "probability of an error, in (0, 1); auto: 1/n"},
       {"R", "0.5", "rewards are R-sub-Gaussian, > 0"},
       {"S", "auto", "bound of the norm of theta*, > 0; auto: sqrt(d)"}},
      [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
        LinUcbOptions options;
        options.radius = static_cast<Radius>(p.choice("radius", {"authors", "theorem"}));
        if (const auto width = real_or_auto(p, "width")) {
          if (p.given("radius")) return invalid("linucb: give either radius or width, not both");
          options.radius = Radius::constant;
          options.width = *width;
        }
        options.ridge = p.real("ridge");
        options.sigma = real_or_auto(p, "sigma");
        options.delta = real_or_auto(p, "delta");
        options.noise = p.real("R");
        options.parameter_norm = real_or_auto(p, "S");
        options.rounds = context.rounds;
        options.rewards = context.rewards;
        if (!p.error()) return p.error().error();
        return boxed(LinUcb::create(context.arms, options));
      }};
}

}  // namespace phe
