#include "core/pseudo_rewards.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/arm_flips.hpp"

namespace phe::test {
namespace {

TEST(PseudoRewards, TrialsFollowThePullsAndTheirGrowthIsReturned) {
  ArmFlips pseudo(1.5, unit_arms(3));
  EXPECT_EQ(pseudo.set_pulls(0, 1), 2U);
  EXPECT_EQ(pseudo.set_pulls(0, 2), 1U);
  EXPECT_EQ(pseudo.set_pulls(0, 5), 5U);
  EXPECT_EQ(pseudo.trials(0), 8U);
  EXPECT_EQ(pseudo.trials(1), 0U);
}

TEST(PseudoRewards, NothingPulledGivesZero) {
  ArmFlips pseudo(1, unit_arms(20));
  Rng rng(1);
  for (int i = 0; i < 40; ++i)
    for (const double sum : pseudo.draw(rng)) ASSERT_EQ(sum, 0.0);
}

TEST(PseudoRewards, DrawsAreWholeNumbersUpToTheTrialsOfTheirArmWhileThePullsGrow) {
  // Pulls between draws: none, a few, more than are kept apart from the rounds drawn ahead.
  constexpr std::size_t arms = 40;
  ArmFlips pseudo(0.7, unit_arms(arms));
  std::vector<std::uint64_t> pulls(arms);
  Rng rng(2);
  for (int round = 0; round < 3000; ++round) {
    const std::uint64_t news = round % 100 == 0 ? 60 : rng.below(4);
    for (std::uint64_t i = 0; i < news; ++i) {
      const auto arm = static_cast<ArmId>(rng.below(arms));
      pseudo.set_pulls(arm, pulls[arm] += rng.below(50) == 0 ? 20'000 : 1);
    }
    const auto sums = pseudo.draw(rng);
    ASSERT_EQ(sums.size(), arms);
    for (ArmId arm = 0; arm < arms; ++arm) {
      ASSERT_EQ(pseudo.trials(arm), (7 * pulls[arm] + 9) / 10);
      ASSERT_GE(sums[arm], 0);
      ASSERT_LE(sums[arm], static_cast<double>(pseudo.trials(arm)));
      ASSERT_EQ(sums[arm], std::floor(sums[arm]));
    }
  }
}

TEST(PseudoRewards, ACopyDrawsAllOfItsRandomnessFromTheRngThatItIsGiven) {
  for (const auto kind : {ArmFlips::Kind::repeated, ArmFlips::Kind::single}) {
    ArmFlips pseudo(1, unit_arms(4), kind);
    Rng rng(3);
    for (ArmId arm = 0; arm < 4; ++arm) pseudo.set_pulls(arm, 1'000'000);
    pseudo.draw(rng);  // there are rounds ahead now
    ArmFlips one = pseudo;
    ArmFlips same = pseudo;
    ArmFlips other = pseudo;
    Rng first(7);
    Rng again(7);
    Rng second(8);
    for (int i = 0; i < 100; ++i) {
      const auto a = one.draw(first);
      const std::vector<double> kept(a.begin(), a.end());
      const auto b = same.draw(again);
      ASSERT_TRUE(std::ranges::equal(kept, b));
      // B(10^6, 1/2): four equal numbers in a row have a probability of 10^-13.
      ASSERT_FALSE(std::ranges::equal(kept, other.draw(second)));
    }
  }
}

TEST(PseudoRewards, APullMadeWhileRoundsAreDrawnAheadIsInEachOfThemWithFlipsOfItsOwn) {
  for (std::size_t drawn = 0; drawn < 16; ++drawn) {
    ArmFlips pseudo(1, unit_arms(3));
    Rng rng(5 + drawn);
    for (std::size_t i = 0; i < drawn; ++i) pseudo.draw(rng);
    pseudo.set_pulls(1, 10'000);
    std::set<double> values;
    for (int i = 0; i < 20; ++i) {
      const auto sums = pseudo.draw(rng);
      // B(10000, 1/2) has standard deviation 50; eight of them are never reached.
      ASSERT_NEAR(sums[1], 5000, 400) << drawn << ", " << i;
      ASSERT_EQ(sums[0], 0.0);
      ASSERT_EQ(sums[2], 0.0);
      values.insert(sums[1]);
    }
    // 190 pairs meet with probability 1/177 each: one repetition is expected, not ten.
    EXPECT_GT(values.size(), 10U) << drawn;
  }
}

TEST(PseudoRewards, ACopyDrawsWithoutAllocatingToo) {
  const ArmFlips pseudo(1, unit_arms(40));
  ArmFlips copy = pseudo;
  Rng rng(4);
  const std::size_t before = test::allocations();
  for (std::uint64_t pulls = 1; pulls <= 20; ++pulls) {
    for (ArmId arm = 0; arm < 40; ++arm) copy.set_pulls(arm, pulls);
    copy.draw(rng);
  }
  EXPECT_EQ(test::allocations(), before);
}

// The Gaussian part has exactly the mean and the covariance of the rows folded into it.
TEST(PseudoRewards, FoldingKeepsMeanAndCovarianceOfTheRowsAndThePrior) {
  constexpr std::size_t d = 3;
  const Arms arms = normal_arms(8, d, 5);
  ArmFlips pseudo(2, arms, ArmFlips::Kind::single);
  pseudo.pseudo().add_prior(0.7);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(d);
  Eigen::MatrixXd covariance = 0.49 * Eigen::MatrixXd::Identity(d, d);
  for (ArmId arm = 0; arm < 8; ++arm) {
    pseudo.set_pulls(arm, 1 + arm % 3);
    const double flips = 2.0 * (1 + arm % 3);
    mean += 0.5 * flips * row_of(arms, arm);
    covariance += 0.25 * flips * row_of(arms, arm) * row_of(arms, arm).transpose();
  }
  Rng rng(6);
  for (const std::size_t folded : {0, 3, 5}) {  // 0, then 3, then all 8
    pseudo.pseudo().fold(pseudo.rows(), folded);
    pseudo.rows().drop_first(folded);
    constexpr int draws = 40'000;
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(d);
    Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(d, d);
    for (int i = 0; i < draws; ++i) {
      const Eigen::VectorXd offset =
          Eigen::Map<const Eigen::VectorXd>(pseudo.draw(rng).data(), d) - mean;
      sum += offset;
      squares += offset * offset.transpose();
    }
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(d); ++i) {
      EXPECT_NEAR(sum[i] / draws, 0.0, 5 * std::sqrt(covariance(i, i) / draws)) << folded;
      for (Eigen::Index j = 0; j < static_cast<Eigen::Index>(d); ++j) {
        // Isserlis' variance of a product of Gaussians; that of bounded flips is smaller.
        const double variance =
            covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j);
        EXPECT_NEAR(squares(i, j) / draws, covariance(i, j), 5 * std::sqrt(variance / draws))
            << folded;
      }
    }
  }
}

// Without a prior the covariance of few rows is singular, and nothing may become of nothing.
TEST(PseudoRewards, AFeatureThatWasZeroInAllFoldedRowsStaysZeroAndOneRowAloneKeepsItsLaw) {
  const Arms arms = Arms::from_rows({{2.0, 0.0, 4.0}}).value();
  ArmFlips pseudo(1, arms, ArmFlips::Kind::single);
  constexpr double pulls = 400;
  pseudo.set_pulls(0, 400);
  pseudo.pseudo().fold(pseudo.rows(), 1);
  pseudo.rows().drop_first(1);
  Rng rng(7);
  constexpr int draws = 2000;
  double squares = 0.0;
  for (int i = 0; i < draws; ++i) {
    const auto sum = pseudo.draw(rng);
    const double heads = sum[0] / 2.0;
    EXPECT_NEAR(sum[1], 0.0, 1e-100);
    EXPECT_NEAR(sum[2], 4.0 * heads, 1e-3);  // as if the diagonal were 1e-13 larger
    squares += (heads - pulls / 2) * (heads - pulls / 2);
  }
  // The variance of a squared Gaussian of variance v is 2 v^2.
  EXPECT_NEAR(squares / draws, pulls / 4, 5 * std::sqrt(2.0 / draws) * pulls / 4);
}

}  // namespace
}  // namespace phe::test
