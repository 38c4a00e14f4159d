#include "tune/race.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "phe/rng.hpp"
#include "report/student_t.hpp"

namespace phe::tune {
namespace {

using Losses = std::vector<std::vector<double>>;

std::vector<const std::vector<double>*> pointers(const Losses& losses) {
  std::vector<const std::vector<double>*> result;
  for (const auto& list : losses) result.push_back(&list);
  return result;
}
std::vector<std::size_t> worse(const Losses& losses, double confidence = 0.95) {
  return significantly_worse(pointers(losses), confidence);
}

TEST(Race, ComparesOnTheSameInstances) {
  // The instances differ by far more than the policies: only pairs tell.
  EXPECT_EQ(worse({{100, 2000, 30, 5}, {101, 2001.1, 31, 6}}), std::vector<std::size_t>{1});
  EXPECT_EQ(worse({{101, 2001, 31.1, 6}, {100, 2000, 30, 5}}), std::vector<std::size_t>{0});
  EXPECT_TRUE(worse({{100, 2000, 30, 5}, {2000, 101, 6, 31}}).empty());
}

TEST(Race, DecidesNothingOnOneInstanceOrAlone) {
  EXPECT_TRUE(worse({{1}, {100}}).empty());
  EXPECT_TRUE(worse({{1, 2, 3}}).empty());
  EXPECT_TRUE(worse({{1, 2, 3}, {1, 2, 3}}).empty());
}

TEST(Race, IsCorrectedForTheNumberOfComparisons) {
  // One-sided t of 2.2 with 7 degrees of freedom: p = 0.032.
  std::vector<double> zero(8, 0.0);
  std::vector<double> above = {1, -1, 1, -1, 1, -1, 1, -1};
  const double shift = 2.2 * std::sqrt(8.0 / 7.0 / 8.0);
  for (double& value : above) value += shift;
  EXPECT_EQ(worse({zero, above}).size(), 1U);
  EXPECT_TRUE(worse({zero, above, zero}).empty());
}

// Of twenty equal ones the best so far drops another with probability 0.05 at most.
TEST(Race, DropsAnEqualOneNoMoreOftenThanItsLevel) {
  SplitMix words(StreamKey(17));
  int dropped = 0;
  constexpr int races = 1000;
  for (int race = 0; race < races; ++race) {
    Losses losses(2, std::vector<double>(12));
    for (auto& list : losses)
      for (double& value : list) value = to_unit(words()) + to_unit(words()) + to_unit(words());
    dropped += worse(losses).empty() ? 0 : 1;
  }
  // The best is chosen from the same numbers, so the test is two-sided in effect: 2 x 0.05, within
  // five standard deviations of a binomial count.
  EXPECT_NEAR(dropped, 0.1 * races, 5 * std::sqrt(races * 0.1 * 0.9));
}

}  // namespace
}  // namespace phe::tune
