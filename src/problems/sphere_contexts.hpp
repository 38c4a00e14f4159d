// SphereContexts: the paper's generators with arms that are drawn anew in each round, and theta
// once. Linear, logistic, Poisson, and one theta per action (disjoint) differ in the mean alone.
#pragma once

#include <memory>
#include <vector>

#include "phe/problem.hpp"
#include "problems/reward_noise.hpp"

namespace phe {

enum class SphereMean { linear, logistic, poisson };

// The mean reward at a score x^T theta.
double mean_at(SphereMean mean, double score) noexcept;

class SphereContexts final : public ContextInstance {
 public:
  // With one theta, each round draws `actions` rows; with as many thetas as actions, one context.
  SphereContexts(std::size_t dimension, std::size_t actions,
                 std::vector<std::vector<double>> thetas, SphereMean mean, RewardNoise noise,
                 StreamKey key);

  void offer(std::uint64_t round, ContextRound& offered) const override;
  [[nodiscard]] double reward(std::uint64_t round, ArmId action, double mean) const override {
    return noise_.reward(mean, round, action);
  }
  [[nodiscard]] bool binary_rewards() const noexcept override { return noise_.binary(); }

 private:
  [[nodiscard]] double mean(std::span<const double> x, const std::vector<double>& theta) const;

  std::size_t actions_;
  std::vector<std::vector<double>> thetas_;
  SphereMean mean_;
  RewardNoise noise_;
  StreamKey contexts_;
};

// Arms as the paper draws them: on the unit sphere, with a bias.
Result<Arms> draw_sphere_arms(std::size_t count, std::size_t dimension, Rng& rng);
// theta as the paper draws it: `length` in all entries but the last, which is `last`.
std::vector<double> draw_theta(std::size_t dimension, double length, double last, Rng& rng);

}  // namespace phe
