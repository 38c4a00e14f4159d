#include "policies/lin_ucb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/best_arm.hpp"
#include "kernels/elementary.hpp"
#include "kernels/matrix.hpp"
#include "kernels/optimism.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

namespace {

// The options with every default filled in.
LinUcbOptions completed(const Arms& arms, LinUcbOptions options) {
  if (!options.sigma) options.sigma = options.radius == Radius::authors ? 0.5 : 1.0;
  if (!options.delta)
    options.delta = 1.0 / static_cast<double>(std::max<std::uint64_t>(options.rounds, 2));
  if (!options.parameter_norm)
    options.parameter_norm = std::sqrt(static_cast<double>(arms.dimension()));
  return options;
}

}  // namespace

Result<LinUcb> LinUcb::create(const Arms& arms, const LinUcbOptions& options) {
  const LinUcbOptions all = completed(arms, options);
  if (auto checked = first_error({check_positive("linucb", "width", all.width),
                                  check_positive("linucb", "ridge", all.ridge),
                                  check_positive("linucb", "sigma", *all.sigma),
                                  check_confidence("linucb", "delta", *all.delta),
                                  check_positive("linucb", "R", all.noise),
                                  check_positive("linucb", "S", *all.parameter_norm),
                                  check_arms("linucb", arms)});
      !checked)
    return checked.error();
  return LinUcb(arms, all);
}

LinUcb::LinUcb(const Arms& arms, const LinUcbOptions& options)
    : options_(options),
      rows_(arms.dimension()),
      model_(arms.dimension(), options.ridge, 1.0 / (*options.sigma * *options.sigma)),
      widths_(arms.dimension(), arms.size()),
      squared_norm_(largest_squared_norm(arms)),
      fixed_radius_(fixed_radius()),
      scores_(arms.view().stride) {}

double LinUcb::radius() const noexcept {
  if (options_.radius != Radius::theorem) return fixed_radius_;
  const double growth = log_determinant_ - 2.0 * kernels::log(*options_.delta);
  return fixed_radius_ + options_.noise / *options_.sigma * std::sqrt(growth);
}

double LinUcb::fixed_radius() const noexcept {
  if (options_.radius == Radius::constant) return options_.width;
  const double bias = std::sqrt(options_.ridge) * *options_.parameter_norm;
  if (options_.radius == Radius::theorem) return bias;
  const double growth = 1.0 + static_cast<double>(options_.rounds) * squared_norm_ / options_.ridge;
  return bias + options_.noise * std::sqrt(static_cast<double>(rows_.dimension()) *
                                           kernels::log(growth / *options_.delta));
}

std::span<const double> LinUcb::estimate() {
  if (!fitted_) model_.fit();
  fitted_ = true;
  return model_.ridge().solution();
}

const ArmWidths& LinUcb::bounds(const Offered& offered) {
  widths_.bring_up_to_date(offered, model_.ridge(), [this] { return estimate(); });
  return widths_;
}

kernels::BestArms LinUcb::best_bounds(Offered& offered) {
  const ArmWidths& of = bounds(offered);
  if (scores_.size() < of.means().size()) scores_.resize(of.means().size());
  return kernels::best_optimistic(of.means(), of.squared(), radius(),
                                  std::span(scores_).first(of.means().size()));
}

ArmId LinUcb::choose(Offered& offered, Rng& rng) {
  const kernels::BestArms best = best_bounds(offered);
  return best_arm(scores_, best, rng);
}

bool LinUcb::probabilities(Offered& offered, std::span<double> of_each) {
  best_bounds(offered);
  std::copy_n(scores_.begin(), of_each.size(), of_each.begin());
  share_among_best(of_each);
  return true;
}

double LinUcb::score(std::span<const double> x, Rng& /*rng*/) {
  const auto theta = estimate();
  double mean = 0.0;
  for (std::size_t j = 0; j < theta.size(); ++j) mean += theta[j] * x[j];
  return mean + radius() * std::sqrt(model_.ridge().squared_width(x));
}

void LinUcb::observe(const Observation& observation) {
  const auto x = rows_.features(observation.row);
  model_.learn(x, observation.mass(), observation.reward_sum);
  widths_.pulled(model_.ridge(), observation, model_.weight());
  fitted_ = false;
  if (options_.radius == Radius::theorem)
    log_determinant_ +=
        kernels::log(1.0 + model_.weight() * observation.mass() * std::max(0.0, gain_of_pull(x)));
  if (observation.arm == nowhere) see_norm(kernels::dot(x.data(), x.data(), x.size()));
}

void LinUcb::see_norm(double squared) noexcept {
  if (!(squared > squared_norm_)) return;
  squared_norm_ = squared;
  fixed_radius_ = fixed_radius();
}

// x^T G^-1 x with the G before the pull, summed as the scores of arms are.
double LinUcb::gain_of_pull(std::span<const double> x) const noexcept {
  const auto gain = model_.ridge().gain();
  double product = 0.0;
  for (std::size_t j = 0; j < gain.size(); ++j) product += gain[j] * x[j];
  return product;
}

void LinUcb::identify(Archive& archive) {
  archive.same(options_.radius, "radius");
  archive.same(options_.width, "width");
  archive.same(options_.ridge, "ridge");
  archive.same(*options_.sigma, "sigma");
  archive.same(*options_.delta, "delta");
  archive.same(options_.noise, "R");
  archive.same(*options_.parameter_norm, "S");
  archive.same(options_.rounds, "rounds");
}

void LinUcb::persist(Archive& archive) {
  model_.persist(archive);
  widths_.persist(archive);
  archive(squared_norm_);
  archive(log_determinant_);
  fixed_radius_ = fixed_radius();
  fitted_ = fitted_ && !archive.reading();
}

void LinUcb::merge(const Learner& other) {
  const auto& same = dynamic_cast<const LinUcb&>(other);
  model_.merge(same.model_);
  widths_.forget();
  fitted_ = false;
  see_norm(same.squared_norm_);
  log_determinant_ = model_.ridge().log_determinant();
}

PolicyEntry lin_ucb_entry() {
  return {
      "linucb", "optimism: the highest upper confidence bound of a linear model (OFUL, LinUCB)",
      with_common_keys(
          {{"radius", "authors",
            "of the confidence set: authors (of LinPHE) | theorem (Abbasi-Yadkori et al. 2011)"},
           {"width", "auto",
            "a constant radius instead, > 0; 1 is the usual choice (Li et al. 2010)"},
           {"ridge", "1", "regularisation lambda, > 0"},
           {"sigma", "auto",
            "noise scale in the Gram matrix; auto: 0.5 for radius=authors, else 1"},
           {"delta", "auto", "probability of an error, in (0, 1); auto: 1/n"},
           {"R", "0.5", "rewards are R-sub-Gaussian, > 0"},
           {"S", "auto", "bound of the norm of theta*, > 0; auto: sqrt(d)"}}),
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
        return make_policy(p, context, [&] { return LinUcb::create(context.arms, options); });
      }};
}

}  // namespace phe
