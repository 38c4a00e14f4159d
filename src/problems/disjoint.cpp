#include "problems/disjoint.hpp"

#include "problems/rewards.hpp"
#include "problems/sphere_contexts.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

struct DisjointOptions {
  std::size_t dimension = 10;
  std::size_t arms = 10;
  RewardOptions rewards = {};
};

class DisjointProblem final : public Problem {
 public:
  explicit DisjointProblem(const DisjointOptions& options) : options_(options) {}

  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override {
    Rng rng(key.with(Stream::instance));
    std::vector<std::vector<double>> thetas;
    for (std::size_t arm = 0; arm < options_.arms; ++arm)
      thetas.push_back(draw_theta(options_.dimension, 0.5, 0.5, rng));
    return std::make_unique<const SphereContexts>(options_.dimension, options_.arms,
                                                  std::move(thetas), SphereMean::linear,
                                                  options_.rewards.noise(key), key);
  }
  [[nodiscard]] std::size_t dimension() const noexcept override { return options_.dimension; }
  [[nodiscard]] std::size_t arms() const noexcept override { return options_.arms; }

 private:
  DisjointOptions options_;
};

}  // namespace

ProblemEntry disjoint_entry() {
  std::vector<ParameterInfo> keys = {
      {"d", "10", "number of features, the last of which is the bias; at least 2"},
      {"arms", "10", "number of arms K, at least 2"}};
  for (auto& key : reward_parameters()) keys.push_back(std::move(key));
  return {"disjoint",
          "contexts: one a round, on the unit sphere plus a bias, and a theta of its own per arm",
          std::move(keys), [](Parameters& p) -> Result<std::unique_ptr<const Problem>> {
            DisjointOptions options;
            options.dimension = p.count("d");
            options.arms = p.count("arms");
            options.rewards = read_rewards(p);
            if (!p.error()) return p.error().error();
            if (options.dimension < 2 || options.dimension > 10'000)
              return invalid("problem disjoint: d must be between 2 and 10000, got {}",
                             options.dimension);
            if (options.arms < 2 || options.arms > 10'000)
              return invalid("problem disjoint: arms must be between 2 and 10000, got {}",
                             options.arms);
            if (auto checked = check_rewards("disjoint", options.rewards); !checked)
              return checked.error();
            return std::make_unique<const DisjointProblem>(options);
          }};
}

}  // namespace phe
