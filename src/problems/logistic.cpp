#include "problems/logistic.hpp"

#include <cmath>

#include "kernels/logistic.hpp"
#include "problems/read_theta.hpp"
#include "problems/rewards.hpp"
#include "problems/sphere_contexts.hpp"
#include "support/error.hpp"

namespace phe {

Result<LogisticProblem> LogisticProblem::create(const LogisticOptions& options) {
  LogisticOptions checked = options;
  if (options.given_arms) {
    checked.dimension = options.given_arms->dimension();
    checked.arms = options.given_arms->size();
  }
  if (checked.dimension < 2 || checked.dimension > 10'000)
    return invalid("problem logistic: d must be between 2 and 10000, got {}", checked.dimension);
  if (checked.arms < 1 || checked.arms > 10'000'000)
    return invalid("problem logistic: arms must be between 1 and 10000000, got {}", checked.arms);
  if (!(options.radius > 0 && options.radius <= 1e6))
    return invalid("problem logistic: radius must be > 0 and at most 1e+06, got {}",
                   options.radius);
  if (!options.given_theta.empty() && options.given_theta.size() != checked.dimension)
    return invalid("problem logistic: theta must have {} numbers, got {}", checked.dimension,
                   options.given_theta.size());
  for (const double value : options.given_theta)
    if (!std::isfinite(value))
      return invalid("problem logistic: theta must be finite, got {}", value);
  return LogisticProblem(std::move(checked));
}

Result<std::unique_ptr<const Instance>> LogisticProblem::draw(StreamKey key) const {
  Rng rng(key.with(Stream::instance));
  const std::size_t d = options_.dimension;
  const RewardNoise noise(RewardLaw::bernoulli, 0.0, key);
  const std::vector<double> theta = options_.given_theta.empty()
                                        ? draw_theta(d, options_.radius, 0.0, rng)
                                        : options_.given_theta;
  if (options_.contexts)
    return std::make_unique<const SphereContexts>(d, options_.arms,
                                                  std::vector<std::vector<double>>{theta},
                                                  SphereContexts::Mean::logistic, noise, key);
  auto arms = options_.given_arms ? Result<Arms>(*options_.given_arms)
                                  : draw_sphere_arms(options_.arms, d, rng);
  if (!arms) return arms.error();
  std::vector<double> means(arms->size());
  for (ArmId arm = 0; arm < arms->size(); ++arm) {
    double score = 0.0;
    for (std::size_t j = 0; j < d; ++j) score += arms->at(arm, j) * theta[j];
    if (std::isnan(score))
      return invalid("problem logistic: x'theta overflows in row {} of the arms", arm + 1);
    means[arm] = kernels::scalar::sigmoid(score);
  }
  return std::make_unique<const NoisyInstance>(std::move(arms).value(), std::move(means), noise);
}

ProblemEntry logistic_entry() {
  return {"logistic",
          "logistic bandit of the paper: arms on the unit sphere plus a bias, mean sigma(x'theta)",
          {{"d", "10", "number of features, the last of which is the bias; at least 2"},
           {"arms", "100", "number of arms K"},
           {"contexts", "false", "draw all arms anew in each round, and theta once"},
           {"radius", "1.5", "length of theta, which has no bias; larger is easier"},
           {"features", "", "CSV file of the arms, a row each; else d and arms are drawn", true},
           {"theta", "", "CSV file of theta, as many numbers as features; else drawn", true}},
          [](Parameters& p) -> Result<std::unique_ptr<const Problem>> {
            LogisticOptions options;
            options.dimension = p.count("d");
            options.arms = p.count("arms");
            options.contexts = p.flag("contexts");
            options.radius = p.real("radius");
            if (!p.error()) return p.error().error();
            if (options.contexts && p.given("features"))
              return invalid("problem logistic: contexts are drawn, and cannot come from a file");
            if (p.given("features")) {
              if (p.given("d") || p.given("arms"))
                return invalid("problem logistic: d and arms come from the file {}",
                               p.text("features"));
              auto arms = Arms::from_csv(p.text("features"));
              if (!arms) return arms.error();
              options.dimension = arms->dimension();
              options.given_arms = std::move(arms).value();
            }
            if (p.given("theta")) {
              auto theta = read_theta(p.text("theta"), options.dimension);
              if (!theta) return theta.error();
              options.given_theta = std::move(theta).value();
            }
            auto problem = LogisticProblem::create(options);
            if (!problem) return problem.error();
            return std::make_unique<const LogisticProblem>(std::move(problem).value());
          }};
}

}  // namespace phe
