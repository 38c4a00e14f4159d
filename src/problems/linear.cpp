#include "problems/linear.hpp"

#include <algorithm>

#include "problems/sphere.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

class LinearInstance final : public Instance {
 public:
  LinearInstance(Arms arms, std::vector<double> means, RewardNoise noise)
      : Instance(std::move(arms), std::move(means)), noise_(noise) {}

  [[nodiscard]] double reward(std::uint64_t round, ArmId arm) const noexcept override {
    return noise_.reward(means()[arm], round, arm);
  }
  [[nodiscard]] bool binary_rewards() const noexcept override { return noise_.binary(); }

 private:
  RewardNoise noise_;
};

}  // namespace

Result<LinearProblem> LinearProblem::create(const LinearOptions& options) {
  if (options.dimension < 2 || options.dimension > 10'000)
    return invalid("problem linear: d must be between 2 and 10000, got {}", options.dimension);
  if (options.arms < 1 || options.arms > 10'000'000)
    return invalid("problem linear: arms must be between 1 and 10000000, got {}", options.arms);
  if (!(options.concentration > 0 && options.concentration <= 1e6))
    return invalid("problem linear: concentration must be > 0 and at most 1e+06, got {}",
                   options.concentration);
  return LinearProblem(options);
}

Result<std::unique_ptr<const Instance>> LinearProblem::draw(StreamKey key) const {
  Rng rng(key.with(Stream::instance));
  const std::size_t d = options_.dimension;
  std::vector<double> theta(d, 0.5);
  draw_on_sphere(std::span(theta).first(d - 1), 0.5, rng);
  std::vector<double> row(d, 1.0);
  std::vector<double> means(options_.arms);
  auto arms = Arms::generate(options_.arms, d, [&](std::size_t arm, std::size_t feature) {
    if (feature == 0) {
      draw_on_sphere(std::span(row).first(d - 1), 1.0, rng);
      double mean = 0.0;
      for (std::size_t j = 0; j < d; ++j) mean += row[j] * theta[j];
      // In [0, 1] by construction; rounding may step over the edge by an ulp.
      means[arm] = std::clamp(mean, 0.0, 1.0);
    }
    return row[feature];
  });
  if (!arms) return arms.error();
  return std::make_unique<const LinearInstance>(
      std::move(arms).value(), std::move(means),
      RewardNoise(options_.rewards, options_.concentration, key));
}

ProblemEntry linear_entry() {
  return {"linear",
          "linear bandit of the paper: arms on the unit sphere plus a bias, mean x'theta",
          {{"d", "10", "number of features, the last of which is the bias; at least 2"},
           {"arms", "100", "number of arms K"},
           {"rewards", "bernoulli", "reward law given its mean: bernoulli | beta"},
           {"concentration", "4", "alpha + beta of the beta law; larger is less noise"}},
          [](Parameters& p) -> Result<std::unique_ptr<const Problem>> {
            LinearOptions options;
            options.dimension = p.count("d");
            options.arms = p.count("arms");
            options.rewards = static_cast<RewardLaw>(p.choice("rewards", {"bernoulli", "beta"}));
            options.concentration = p.real("concentration");
            if (!p.error()) return p.error().error();
            auto problem = LinearProblem::create(options);
            if (!problem) return problem.error();
            return std::make_unique<const LinearProblem>(std::move(problem).value());
          }};
}

}  // namespace phe
