#include <cmath>

#include <gtest/gtest.h>

#include "phe/lin_phe.hpp"
#include "problems/linear.hpp"

namespace phe {
namespace {

// A history of 1000 pulls on a ridge of 1e-10: each of the few large steps to G cancels ten digits
// of its inverse.
TEST(WarmStart, IsAccurateAtATinyRidge) {
  auto problem = LinearProblem::create({.dimension = 5, .arms = 20});
  const auto instance = std::move(problem->draw(StreamKey(1))).value();
  History history(20);
  for (const ArmId arm : {19U, 18U, 17U, 16U, 15U, 3U}) history.add(arm, 100, 200);
  const auto estimate = [&](double ridge) {
    LinPheOptions options;
    options.perturbation_scale = 600;
    options.ridge = ridge;
    auto policy = LinPhe::create(instance->arms(), options, history);
    Rng rng(1);
    policy->fit(rng);
    return std::vector<double>(policy->estimate().begin(), policy->estimate().end());
  };
  // The same pseudo-rewards, so theta differs by O(ridge / lambda_min(G)) < 1e-8 alone.
  const auto tiny = estimate(1e-10);
  const auto small = estimate(1e-9);
  for (std::size_t j = 0; j < tiny.size(); ++j) EXPECT_NEAR(tiny[j], small[j], 1e-7);
}

}  // namespace
}  // namespace phe
