#include "policies/lin_ucb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/best_arm.hpp"
#include "kernels/elementary.hpp"
#include "kernels/matrix.hpp"
#include "kernels/optimism.hpp"
#include "policies/entries.hpp"

namespace phe {

const Keys<LinUcbOptions>& LinUcb::keys() {
  using O = LinUcbOptions;
  static const Keys<O> keys(
      "linucb",
      {{"radius",
        &O::radius,
        {{"authors", Radius::authors}, {"theorem", Radius::theorem}},
        "of the confidence set: authors (of LinPHE) | theorem (Abbasi-Yadkori et al. 2011)"},
       {"width", "a constant radius instead, > 0; 1 is the usual choice (Li et al. 2010)",
        [](Parameters& p, O& o) {
          if (p.text("width") == "auto") return;
          o.radius = Radius::constant;
          o.width = p.real("width");
        },
        [](const O& o) {
          return o.radius == Radius::constant ? fmt::format("{}", o.width) : "auto";
        },
        [](std::string_view policy, const O& o) {
          return check_positive(policy, "width", o.width);
        }},
       {"ridge", &O::ridge, check_positive, "regularisation lambda, > 0"},
       {"sigma", &O::sigma, check_positive,
        "noise scale in the Gram matrix; auto: 0.5 for radius=authors, else 1"},
       {"delta", &O::delta, check_confidence, "probability of an error, in (0, 1); auto: 1/n"},
       {"R", &O::noise, check_positive, "rewards are R-sub-Gaussian, > 0"},
       {"S", &O::parameter_norm, check_positive, "bound of the norm of theta*, > 0; auto: sqrt(d)"},
       {"rounds", &O::rounds}});
  return keys;
}

namespace {

// From so many features on a ceiling costs less than a width; the choice is the same.
constexpr std::size_t worth_ceilings = 8;

// The options with every default filled in.
LinUcbOptions completed(const Arms& arms, LinUcbOptions options) {
  if (!options.sigma) options.sigma = options.radius == Radius::authors ? 0.5 : 1.0;
  if (!options.delta) options.delta = one_in(options.rounds);
  if (!options.parameter_norm)
    options.parameter_norm = std::sqrt(static_cast<double>(arms.dimension()));
  return options;
}

}  // namespace

LinUcb::LinUcb(const Arms& arms, const LinUcbOptions& options)
    : LinUcb(arms, completed(arms, options), Completed{}) {}

LinUcb::LinUcb(const Arms& arms, const LinUcbOptions& options, Completed)
    : Configured(options, arms.dimension(), options.ridge, 1.0 / (*options.sigma * *options.sigma)),
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
  if (!offered.fixed() && offered.dimension() >= worth_ceilings)
    return optimistic_.best(offered.view(), model_.ridge(), estimate(), radius(), rng);
  const kernels::BestArms best = best_bounds(offered);
  return best_arm(std::span(scores_).first(widths_.means().size()), best, rng);
}

// All widths of a round stay, known by its number; what is computed below ceilings does not.
bool LinUcb::traceless() const noexcept { return rows_.dimension() >= worth_ceilings; }

bool LinUcb::probabilities(Offered& offered, std::span<double> of_each) {
  best_bounds(offered);
  std::copy_n(scores_.begin(), of_each.size(), of_each.begin());
  share_among_best(of_each);
  return true;
}

double LinUcb::score(std::span<const double> x, Rng& /*rng*/) {
  const auto theta = estimate();
  return score_of(theta, x) + radius() * std::sqrt(model_.ridge().squared_width(x));
}

void LinUcb::observe(const Observation& observation) {
  const auto x = rows_.features(observation.row);
  LinearLearner::observe(observation);
  widths_.pulled(model_.ridge(), observation, model_.weight());
  fitted_ = false;
  if (options_.radius == Radius::theorem)  // x^T G^-1 x with the G before the pull
    log_determinant_ += kernels::log(1.0 + model_.weight() * observation.mass() *
                                               std::max(0.0, score_of(model_.ridge().gain(), x)));
  if (observation.arm == nowhere) see_norm(kernels::dot(x.data(), x.data(), x.size()));
}

void LinUcb::see_norm(double squared) noexcept {
  if (!(squared > squared_norm_)) return;
  squared_norm_ = squared;
  fixed_radius_ = fixed_radius();
}

void LinUcb::persist(Archive& archive) {
  LinearLearner::persist(archive);
  widths_.persist(archive);
  archive(squared_norm_);
  archive(log_determinant_);
  fixed_radius_ = fixed_radius();
  fitted_ = fitted_ && !archive.reading();
}

void LinUcb::merge(const Learner& other) {
  const auto& same = dynamic_cast<const LinUcb&>(other);
  LinearLearner::merge(other);
  widths_.forget();
  fitted_ = false;
  see_norm(same.squared_norm_);
  log_determinant_ = model_.ridge().log_determinant();
}

PolicyEntry lin_ucb_entry() {
  auto entry = entry_of<LinUcb>(
      "optimism: the highest upper confidence bound of a linear model (OFUL, LinUCB)");
  entry.make = [make = entry.make](
                   Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
    if (p.given("radius") && p.text("width") != "auto")
      return invalid("linucb: give either radius or width, not both");
    return make(p, context);
  };
  return entry;
}

}  // namespace phe
