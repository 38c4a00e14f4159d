#include "theory/sampled_state.hpp"

#include <algorithm>
#include <utility>

#include "kernels/normal.hpp"
#include "kernels/score_arms.hpp"
#include "support/error.hpp"

namespace phe::theory {

namespace {

std::vector<Direction> choose_directions(const Frame& frame, const AnalysisState& state, Rng& rng) {
  Eigen::Index widest = 0;
  state.squared_widths.maxCoeff(&widest);
  Eigen::VectorXd random(state.rows.cols());
  for (double& x : random) x = kernels::normal(rng);
  std::vector<Direction> directions;
  directions.push_back({"best arm", state.rows.row(frame.best), 0, {}});
  directions.push_back({"widest arm", state.rows.row(widest), 0, {}});
  directions.push_back({"random direction", random, 0, {}});
  for (Direction& direction : directions) {
    direction.width = state.width(direction.x);
    direction.deviations.reserve(frame.options.draws);
  }
  return directions;
}

bool is_close(const AnalysisState& state, const Eigen::VectorXd& centre,
              std::span<const double> scores, double scale, double c2) {
  for (Eigen::Index i = 0; i < centre.size(); ++i) {
    const double deviation = scale * scores[static_cast<std::size_t>(i)] - centre[i];
    if (deviation * deviation > c2 * c2 * state.squared_widths[i]) return false;
  }
  return true;
}

Result<void> check_options(const VerifyOptions& o, std::size_t dimension) {
  if (!(o.a >= 1 && o.a <= 1e6) || o.a != std::floor(o.a))
    return invalid("a must be a whole number from 1 to 1000000 (as in the analysis), got {}", o.a);
  if (!(o.ridge > 0) || !std::isfinite(o.ridge))
    return invalid("ridge must be > 0, got {}", o.ridge);
  if (o.rounds < dimension + 2 || o.rounds > 10'000'000)
    return invalid("rounds must be from d + 2 = {} to 10000000, got {}", dimension + 2, o.rounds);
  if (o.runs < 1) return invalid("runs must be at least 1, got {}", o.runs);
  if (o.draws < 100) return invalid("draws must be at least 100, got {}", o.draws);
  if (!(o.confidence > 0 && o.confidence < 1))
    return invalid("confidence must be between 0 and 1, got {}", o.confidence);
  return {};
}

}  // namespace

double Frame::regret_factor() const noexcept {
  return (constants.c1 + constants.c2) * (1 + 2 / (p3 - constants.p2));
}

Result<Frame> frame_of(const Instance& instance, const VerifyOptions& options,
                       const MakeSampler& make_sampler) {
  if (auto checked = check_options(options, instance.arms().dimension()); !checked)
    return checked.error();
  if (instance.reward_range().low != 0 || instance.reward_range().high != 1)
    return invalid("the analysis is of rewards in [0, 1]");
  auto setting = setting_of(instance.arms(), instance.means());
  if (!setting) return setting.error();
  Frame frame{.instance = &instance, .options = options, .make_sampler = make_sampler};
  frame.geometry = std::move(setting->geometry);
  frame.theta = std::move(setting->theta);
  frame.shift = options.centred ? 0 : options.a / 2;
  if (frame.shift != 0) {
    if (frame.geometry.shift.empty())
      return invalid(
          "no s has x's = 1 for every arm, so the analysis cannot shift theta*: add a bias "
          "feature, or use centred pseudo-rewards");
    for (std::size_t j = 0; j < frame.theta.size(); ++j)
      frame.theta[j] += frame.shift * frame.geometry.shift[j];
  }
  frame.policy.perturbation_scale = options.a;
  frame.policy.ridge = options.ridge;
  frame.policy.centred = options.centred;
  double squares = 0;
  for (const double x : frame.theta) squares += x * x;
  const auto n = static_cast<double>(options.rounds);
  frame.constants = constants_at(n, frame.geometry, ParameterNorm::fixed(std::sqrt(squares)),
                                 options.ridge, options.a);
  frame.ridge_ratio = options.ridge / (options.ridge + frame.geometry.basis_eigenvalue);
  frame.p3 = anti_concentration_bound(n, frame.ridge_ratio, frame.constants.c1, options.a);
  frame.best =
      static_cast<ArmId>(std::ranges::max_element(instance.means()) - instance.means().begin());
  return frame;
}

Result<SampledState> sample_state(const Frame& frame, std::uint64_t round, const History& history,
                                  Rng& rng) {
  const Arms& arms = frame.instance->arms();
  auto sampler = frame.make_sampler(arms, frame.policy, history);
  if (!sampler) return sampler.error();
  SampledState state{.round = round,
                     .analysis = AnalysisState(arms, history, frame.policy.ridge, frame.shift),
                     .directions = {}};
  state.directions = choose_directions(frame, state.analysis, rng);
  const Eigen::VectorXd centre = state.analysis.rows * state.analysis.theta_bar;
  const double scale = frame.options.a + 1;  // the analysis leaves a + 1 out of G
  std::vector<double> theta(arms.dimension());
  std::vector<double> scores(arms.view().stride);
  for (std::uint64_t draw = 0; draw < frame.options.draws; ++draw) {
    sampler.value()(rng, theta);
    const Eigen::Map<const Eigen::VectorXd> drawn(theta.data(), state.analysis.rows.cols());
    for (Direction& direction : state.directions)
      direction.deviations.push_back(direction.x.dot(scale * drawn - state.analysis.theta_bar) /
                                     direction.width);
    kernels::score_arms(arms.view(), theta, scores);
    if (!is_close(state.analysis, centre, scores, scale, frame.constants.c2)) ++state.not_close;
    const ArmId pulled = kernels::best_arms(scores).first;
    const double width = std::min(1.0, std::sqrt(state.analysis.squared_widths[pulled]));
    state.gap.add(frame.instance->gap(pulled));
    state.width.add(width);
  }
  return state;
}

}  // namespace phe::theory
