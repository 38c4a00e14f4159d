#include "theory/watch.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "problems/linear.hpp"
#include "theory/constants.hpp"

namespace phe::theory {
namespace {

std::unique_ptr<const Instance> small_instance() {
  auto problem = LinearProblem::create({.dimension = 4, .arms = 12});
  return std::move(problem->draw(StreamKey(5))).value();
}

TEST(Watch, AgreesWithTheAnalysisFromScratch) {
  const auto instance = small_instance();
  const auto theta = parameter_of(instance->arms(), instance->means()).value();
  LinPheOptions options;
  options.perturbation_scale = 1;
  options.ridge = 0.1;
  options.centred = true;
  std::vector<std::uint64_t> every;
  for (std::uint64_t t = 5; t <= 120; ++t) every.push_back(t);
  Rng rng(3);
  const auto run = watch(*instance, options, 0, theta, 120, 0, every, rng);
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run->snapshots.size(), every.size());
  const Eigen::Map<const Eigen::VectorXd> truth(theta.data(), 4);
  double deviation = 0;
  double squared_widths = 0;
  for (std::size_t i = 0; i < every.size(); ++i) {
    const AnalysisState state(instance->arms(), run->snapshots[i], 0.1, 0);
    const Eigen::ArrayXd error = (state.rows * (state.theta_bar - truth)).cwiseAbs();
    deviation = std::max(deviation, (error / state.squared_widths.array().sqrt()).maxCoeff());
    if (i + 1 == every.size()) continue;
    for (ArmId arm = 0; arm < 12; ++arm)
      if (run->snapshots[i + 1].pulls(arm) > run->snapshots[i].pulls(arm))
        squared_widths += std::min(1.0, state.squared_widths[arm]);
  }
  EXPECT_NEAR(run->deviation, deviation, 1e-9);
  EXPECT_LE(squared_widths, run->squared_widths);
  EXPECT_NEAR(run->squared_widths, squared_widths, 1.0);  // but for the last round's width
}

}  // namespace
}  // namespace phe::theory
