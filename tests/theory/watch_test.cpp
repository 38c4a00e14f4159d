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

// 600 rounds: the state is made anew twice, after 256 and 512 of them.
constexpr std::uint64_t rounds = 600;

class WatchedShift : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Shifts, WatchedShift, ::testing::Values(0.0, 0.5));

TEST_P(WatchedShift, AgreesWithTheAnalysisFromScratchInEveryRound) {
  const double shift = GetParam();
  const auto instance = small_instance();
  auto theta = parameter_of(instance->arms(), instance->means()).value();
  theta.back() += shift;  // the bias feature is the last
  LinPheOptions options;
  options.perturbation_scale = 1;
  options.ridge = 0.1;
  options.centred = shift == 0;
  std::vector<std::uint64_t> every;
  for (std::uint64_t t = 5; t <= rounds + 1; ++t) every.push_back(t);
  // One more round, for the arm of the last; the same seed gives the same run.
  Rng longer_rng(3);
  const auto longer = watch(*instance, options, shift, theta, rounds + 1, 0, every, longer_rng);
  Rng rng(3);
  const auto run = watch(*instance, options, shift, theta, rounds, 0, every, rng);
  ASSERT_TRUE(run.ok() && longer.ok());
  ASSERT_EQ(longer->snapshots.size(), every.size());
  const Eigen::Map<const Eigen::VectorXd> truth(theta.data(), 4);
  double deviation = 0;
  double squared_widths = 0;
  for (std::size_t i = 0; i + 1 < every.size(); ++i) {
    const AnalysisState state(instance->arms(), longer->snapshots[i], 0.1, shift);
    const Eigen::ArrayXd error = (state.rows * (state.theta_bar - truth)).cwiseAbs();
    deviation = std::max(deviation, (error / state.squared_widths.array().sqrt()).maxCoeff());
    for (ArmId arm = 0; arm < 12; ++arm)
      if (longer->snapshots[i + 1].pulls(arm) > longer->snapshots[i].pulls(arm))
        squared_widths += std::min(1.0, state.squared_widths[arm]);
  }
  EXPECT_NEAR(run->deviation, deviation, 1e-9);
  EXPECT_NEAR(run->squared_widths, squared_widths, 1e-9);
}

}  // namespace
}  // namespace phe::theory
