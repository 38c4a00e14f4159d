#include "policies/lin_eps.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "policies/twin.hpp"
#include "support/learning.hpp"

namespace phe::test {
namespace {

using enum EpsilonSchedule;

class LinEpsTwin : public testing::TestWithParam<EpsilonSchedule> {};
INSTANTIATE_TEST_SUITE_P(Schedules, LinEpsTwin, testing::Values(authors, paper, constant));

TEST_P(LinEpsTwin, PullsTheArmsThatADenseModelAndTheFormulaOfEpsilonChoose) {
  const Arms arms = normal_arms(13, 4, 1);
  const std::uint64_t rounds = 400;
  LinEpsOptions options;
  options.epsilon = 0.3;
  options.schedule = GetParam();
  options.rounds = rounds;
  options.ridge = 0.7;
  Learning<LinEps> policy(arms, LinEps::create(arms, options));
  DenseRidge twin(4, 0.7);
  Rng rng(3);
  Rng twin_rng(3);
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const auto real_t = static_cast<double>(t);
    const double epsilon = GetParam() == authors ? 0.3 * std::sqrt(400.0 / real_t) / 2
                           : GetParam() == paper ? 0.3 / (2 * std::sqrt(real_t))
                                                 : 0.3;
    const bool explore = to_unit(twin_rng()) < epsilon;
    const ArmId expected = explore ? static_cast<ArmId>(twin_rng.below(13))
                                   : dense_best(dense_scores(arms, twin.estimate()), twin_rng);
    const ArmId arm = policy.select(rng);
    ASSERT_EQ(arm, expected) << "round " << t;
    policy.update(arm, fraction(arm, t));
    twin.add(row_of(arms, arm), fraction(arm, t));
  }
}

TEST(LinEps, TheAuthorsScheduleExploresTheGivenFractionOfAllRoundsAndThePapersAHundredthOfIt) {
  LinEpsOptions options;
  double explored = 0;
  for (std::uint64_t t = 1; t <= 10'000; ++t)
    explored += epsilon_in_round(options.schedule, options.epsilon, options.rounds, t);
  // "About 5%": 2.5 (2 sqrt(10^4) - 1.46) = 496.4, less the 3.1 by which the first six exceed 1.
  EXPECT_NEAR(explored, 493.3, 0.1);
  options.schedule = paper;
  explored = 0;
  for (std::uint64_t t = 1; t <= 10'000; ++t)
    explored += epsilon_in_round(options.schedule, options.epsilon, options.rounds, t);
  EXPECT_NEAR(explored, 4.97, 0.03);
}

TEST(LinEps, EpsilonNeverExceedsOne) {
  LinEpsOptions options;
  options.epsilon = 1.0;
  EXPECT_EQ(epsilon_in_round(options.schedule, options.epsilon, options.rounds, 1), 1.0);
}

TEST(LinEps, GreedyPullsTheBasisAndThenTheDenseModelsBestArm) {
  const Arms arms = normal_arms(13, 4, 1);
  GreedyOptions options;
  Learning<Greedy> policy(arms, Greedy::create(arms, options), Start::basis);
  DenseRidge twin(4, 1.0);
  Rng rng(3);
  for (std::uint64_t t = 1; t <= 200; ++t) {
    const ArmId arm = policy.select(rng);
    ASSERT_EQ(arm, t <= 4 ? static_cast<ArmId>(13 - t)
                          : dense_best(dense_scores(arms, twin.estimate()), rng));
    policy.update(arm, fraction(arm, t));
    twin.add(row_of(arms, arm), fraction(arm, t));
  }
  EXPECT_EQ(policy.name(), "greedy");
}

TEST(LinEps, RefusesNumbersThatCannotWork) {
  const Arms arms = normal_arms(3, 2, 1);
  LinEpsOptions options;
  options.epsilon = 1.5;
  EXPECT_EQ(LinEps::create(arms, options).error().message,
            "lineps: epsilon must be between 0 and 1, got 1.5");
  options.epsilon = 0.1;
  options.ridge = 0;
  EXPECT_EQ(LinEps::create(arms, options).error().message,
            "lineps: ridge must be > 0 and finite, got 0");
}

}  // namespace
}  // namespace phe::test
