#include "policies/bootstrap.hpp"

#include <gtest/gtest.h>

namespace phe::test {
namespace {

Bootstrap after(double a, std::uint64_t pulls, double reward_sum) {
  Bootstrap arm;
  arm.add(pulls, reward_sum, PerturbationScale::from(a).value());
  return arm;
}

TEST(Bootstrap, HoldsTheRewardsAndAsManyZerosAsOnes) {
  const Bootstrap arm = after(2.0, 5, 3.0);
  EXPECT_EQ(arm.size, 5U + 2 * 10);
  EXPECT_DOUBLE_EQ(arm.mean, (3.0 + 10) / 25);
}

// Three pulls at a = 1/2 bring 1.5 zeros and ones, which are 2, not 1; ten at a = 1.1 exactly 11.
TEST(Bootstrap, RoundsFractionalPseudoRewardsUp) {
  EXPECT_EQ(after(0.5, 3, 1.0).size, 3U + 2 * 2);
  EXPECT_DOUBLE_EQ(after(0.5, 3, 1.0).mean, (1.0 + 2) / 7);
  EXPECT_EQ(after(1.1, 10, 0.0).size, 10U + 2 * 11);
  EXPECT_EQ(after(1.1, 11, 0.0).size, 11U + 2 * 13);
}

// The ceiling is that of all pulls, not a sum of ceilings.
TEST(Bootstrap, CountsPullsThatComeOneByOneLikeThoseThatComeTogether) {
  const auto scale = PerturbationScale::from(0.5).value();
  Bootstrap arm;
  for (int pull = 0; pull < 4; ++pull) arm.add(1, 1.0, scale);
  EXPECT_EQ(arm.size, after(0.5, 4, 4.0).size);
  EXPECT_EQ(arm.size, 4U + 2 * 2);
}

}  // namespace
}  // namespace phe::test
