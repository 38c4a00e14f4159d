#include "problems/linear.hpp"

#include <algorithm>

#include "problems/read_theta.hpp"
#include "problems/sphere_contexts.hpp"
#include "support/error.hpp"

namespace phe {

Result<LinearProblem> LinearProblem::create(const LinearOptions& options) {
  if (options.dimension < 2 || options.dimension > 10'000)
    return invalid("problem linear: d must be between 2 and 10000, got {}", options.dimension);
  if (options.arms < 1 || options.arms > 10'000'000)
    return invalid("problem linear: arms must be between 1 and 10000000, got {}", options.arms);
  if (auto checked = check_rewards("linear", options.rewards); !checked) return checked.error();
  return LinearProblem(options, std::nullopt);
}

Result<LinearProblem> LinearProblem::from_files(const std::filesystem::path& arms_file,
                                                const std::filesystem::path& theta_file,
                                                const RewardOptions& rewards) {
  if (auto checked = check_rewards("linear", rewards); !checked) return checked.error();
  auto arms = Arms::from_csv(arms_file);
  if (!arms) return arms.error();
  const auto theta = read_theta(theta_file, arms->dimension());
  if (!theta) return theta.error();
  std::vector<double> means(arms->size());
  for (ArmId arm = 0; arm < arms->size(); ++arm) {
    for (std::size_t j = 0; j < arms->dimension(); ++j)
      means[arm] += arms->at(arm, j) * theta.value()[j];
    if (!(means[arm] >= 0 && means[arm] <= 1))
      return invalid("{}: arm {} has mean {}, but rewards on [0, 1] need one in [0, 1]",
                     arms_file.string(), arm + 1, means[arm]);
  }
  const LinearOptions options{arms->dimension(), arms->size(), false, rewards};
  return LinearProblem(options, Known{std::move(arms).value(), std::move(means)});
}

Result<std::unique_ptr<const Instance>> LinearProblem::draw(StreamKey key) const {
  const RewardNoise noise = options_.rewards.noise(key);
  if (known_) return std::make_unique<const NoisyInstance>(known_->arms, known_->means, noise);
  Rng rng(key.with(Stream::instance));
  const std::size_t d = options_.dimension;
  const std::vector<double> theta = draw_theta(d, 0.5, 0.5, rng);
  if (options_.contexts)
    return std::make_unique<const SphereContexts>(
        d, options_.arms, std::vector<std::vector<double>>{theta}, SphereMean::linear, noise, key);
  auto arms = draw_sphere_arms(options_.arms, d, rng);
  if (!arms) return arms.error();
  std::vector<double> means(options_.arms);
  for (ArmId arm = 0; arm < means.size(); ++arm) {
    double mean = 0.0;
    for (std::size_t j = 0; j < d; ++j) mean += arms->at(arm, j) * theta[j];
    // In [0, 1] by construction; rounding may step over the edge by an ulp.
    means[arm] = std::clamp(mean, 0.0, 1.0);
  }
  return std::make_unique<const NoisyInstance>(std::move(arms).value(), std::move(means), noise);
}

ProblemEntry linear_entry() {
  std::vector<ParameterInfo> keys = {
      {"d", "10", "number of features, the last of which is the bias; at least 2"},
      {"arms", "100", "number of arms K"},
      {"contexts", "false", "draw all arms anew in each round, and theta once"},
      {"features", "", "CSV file of the arms, a row each, instead of drawing d and arms", true},
      {"theta", "", "CSV file of theta, as many numbers as features; goes with features", true}};
  for (auto& key : reward_parameters()) keys.push_back(std::move(key));
  return {
      "linear", "linear bandit of the paper: arms on the unit sphere plus a bias, mean x'theta",
      std::move(keys), [](Parameters& p) -> Result<std::unique_ptr<const Problem>> {
        LinearOptions options;
        options.dimension = p.count("d");
        options.arms = p.count("arms");
        options.contexts = p.flag("contexts");
        options.rewards = read_rewards(p);
        if (!p.error()) return p.error().error();
        const bool files = p.given("features");
        if (files != p.given("theta"))
          return invalid("problem linear: features and theta must be given together");
        if (files && options.contexts)
          return invalid("problem linear: contexts are drawn, and cannot come from a file");
        if (files && (p.given("d") || p.given("arms")))
          return invalid("problem linear: d and arms come from the file {}", p.text("features"));
        auto problem =
            files ? LinearProblem::from_files(p.text("features"), p.text("theta"), options.rewards)
                  : LinearProblem::create(options);
        if (!problem) return problem.error();
        return std::make_unique<const LinearProblem>(std::move(problem).value());
      }};
}

}  // namespace phe
