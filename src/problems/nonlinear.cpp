#include "problems/nonlinear.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/cosine.hpp"
#include "problems/rewards.hpp"
#include "problems/sphere.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

double between(double low, double high, Rng& rng) { return low + (high - low) * to_unit(rng()); }

// The truth about x, without its bias.
class Surface {
 public:
  virtual ~Surface() = default;
  // In [0, 1].
  [[nodiscard]] virtual double mean(std::span<const double> x) const noexcept = 0;
};

class Waves final : public Surface {
 public:
  Waves(std::size_t features, Rng& rng) : first_(features, rng), second_(features, rng) {}
  [[nodiscard]] double mean(std::span<const double> x) const noexcept override {
    return std::clamp(0.5 + 0.25 * (first_.at(x) + second_.at(x)), 0.0, 1.0);
  }

 private:
  struct Wave {
    Wave(std::size_t features, Rng& rng) : direction(features), phase(to_unit(rng())) {
      draw_on_sphere(direction, 0.5, rng);
    }
    [[nodiscard]] double at(std::span<const double> x) const noexcept {
      double turns = phase;
      for (std::size_t j = 0; j < direction.size(); ++j) turns += direction[j] * x[j];
      return kernels::cos_turns(turns);
    }
    std::vector<double> direction;
    double phase;
  };

  Wave first_, second_;
};

class Steps final : public Surface {
 public:
  Steps(std::size_t features, Rng& rng) : nodes_(leaves - 1), means_(leaves) {
    for (Node& node : nodes_)
      node = {static_cast<std::size_t>(rng.below(features)), between(-0.5, 0.5, rng)};
    for (double& mean : means_) mean = to_unit(rng());
  }
  [[nodiscard]] double mean(std::span<const double> x) const noexcept override {
    std::size_t place = 0;  // the children of node i are 2 i + 1 and 2 i + 2
    while (place < nodes_.size())
      place = 2 * place + (x[nodes_[place].feature] > nodes_[place].threshold ? 2 : 1);
    return means_[place - nodes_.size()];
  }

 private:
  static constexpr std::size_t leaves = 16;
  struct Node {
    std::size_t feature;
    double threshold;
  };
  std::vector<Node> nodes_;
  std::vector<double> means_;
};

void draw_features(std::span<double> x, Rng& rng) {
  for (double& value : x) value = between(-1.0, 1.0, rng);
  x.back() = 1.0;
}

class NonlinearContexts final : public ContextInstance {
 public:
  NonlinearContexts(std::size_t dimension, std::size_t actions,
                    std::unique_ptr<const Surface> surface, RewardNoise noise, StreamKey key)
      : ContextInstance(dimension, false),
        actions_(actions),
        surface_(std::move(surface)),
        noise_(noise),
        contexts_(key.with(Stream::context)) {}

  void offer(std::uint64_t round, ContextRound& offered) const override {
    const std::size_t d = arms().dimension();
    offered.features.resize(actions_ * d);
    offered.means.resize(actions_);
    Rng rng(contexts_.with(round));
    for (std::size_t k = 0; k < actions_; ++k) {
      const auto x = std::span(offered.features).subspan(k * d, d);
      draw_features(x, rng);
      offered.means[k] = surface_->mean(x.first(d - 1));
    }
  }
  [[nodiscard]] double reward(std::uint64_t round, ArmId action, double mean) const override {
    return noise_.reward(mean, round, action);
  }
  [[nodiscard]] bool binary_rewards() const noexcept override { return noise_.binary(); }

 private:
  std::size_t actions_;
  std::unique_ptr<const Surface> surface_;
  RewardNoise noise_;
  StreamKey contexts_;
};

struct NonlinearOptions {
  bool steps = false;
  std::size_t dimension = 5;
  std::size_t arms = 100;
  bool contexts = false;
  RewardOptions rewards = {};
};

class NonlinearProblem final : public Problem {
 public:
  explicit NonlinearProblem(const NonlinearOptions& options) : options_(options) {}

  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override {
    Rng rng(key.with(Stream::instance));
    const std::size_t d = options_.dimension;
    std::unique_ptr<const Surface> surface;
    if (options_.steps)
      surface = std::make_unique<const Steps>(d - 1, rng);
    else
      surface = std::make_unique<const Waves>(d - 1, rng);
    const RewardNoise noise = options_.rewards.noise(key);
    if (options_.contexts)
      return std::make_unique<const NonlinearContexts>(d, options_.arms, std::move(surface), noise,
                                                       key);
    std::vector<double> x(d);
    std::vector<double> means;
    auto arms = Arms::generate(options_.arms, d, [&](std::size_t, std::size_t feature) {
      if (feature == 0) {
        draw_features(x, rng);
        means.push_back(surface->mean(std::span(x).first(d - 1)));
      }
      return x[feature];
    });
    if (!arms) return arms.error();
    return std::make_unique<const NoisyInstance>(std::move(arms).value(), std::move(means), noise);
  }
  [[nodiscard]] std::size_t dimension() const noexcept override { return options_.dimension; }
  [[nodiscard]] std::size_t arms() const noexcept override { return options_.arms; }

 private:
  NonlinearOptions options_;
};

}  // namespace

ProblemEntry nonlinear_entry() {
  std::vector<ParameterInfo> keys = {
      {"shape", "smooth", "of the mean: smooth (two waves) | steps (a tree of 16 leaves)"},
      {"d", "5", "number of features, the last of which is the bias; at least 2"},
      {"arms", "100", "number of arms K"},
      {"contexts", "false", "draw all arms anew in each round, and the mean once"}};
  for (auto& key : reward_parameters()) keys.push_back(std::move(key));
  return {"nonlinear", "arms in a cube, with a mean that no linear model has", std::move(keys),
          [](Parameters& p) -> Result<std::unique_ptr<const Problem>> {
            NonlinearOptions options;
            options.steps = p.choice("shape", {"smooth", "steps"}) == 1;
            options.dimension = p.count("d");
            options.arms = p.count("arms");
            options.contexts = p.flag("contexts");
            options.rewards = read_rewards(p);
            if (!p.error()) return p.error().error();
            if (options.dimension < 2 || options.dimension > 10'000)
              return invalid("problem nonlinear: d must be between 2 and 10000, got {}",
                             options.dimension);
            if (options.arms < 1 || options.arms > 10'000'000)
              return invalid("problem nonlinear: arms must be between 1 and 10000000, got {}",
                             options.arms);
            if (auto checked = check_rewards("nonlinear", options.rewards); !checked)
              return checked.error();
            return std::make_unique<const NonlinearProblem>(options);
          }};
}

}  // namespace phe
