#include "kernels/screened_argmax.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/score_arms.hpp"
#include "support/aligned.hpp"
#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe::kernels {
namespace {

using ::testing::Combine;
using ::testing::Contains;
using ::testing::ElementsAreArray;
using ::testing::Values;

using Found = std::array<ArmId, ScreenedArms::most_candidates>;

std::vector<ArmId> candidates(const ScreenedArms& screened, std::span<const double> theta) {
  Found found;
  return {found.begin(), found.begin() + screened.candidates(theta, found)};
}

class Screening : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

INSTANTIATE_TEST_SUITE_P(Tails, Screening,
                         Combine(Values(1, 3, 7, 8, 9, 31, 32, 33, 100, 1000),
                                 Values(1, 2, 3, 5, 8, 9, 20, 128)));

TEST_P(Screening, EveryTargetFindsTheArmsOfTheScalarTwin) {
  const auto [arms, dimension] = GetParam();
  const std::size_t pairs = (dimension + 1) / 2;
  Rng rng(21);
  // Small integers: many arms come near the largest sum.
  const std::size_t size = Screen::blocks_for(arms) * ScreenedArms::block * 2 * pairs;
  const auto copy = zeroed_array<std::int16_t>(size);
  for (std::size_t i = 0; i < size; ++i)
    copy[i] = static_cast<std::int16_t>(static_cast<int>(rng.below(7)) - 3);
  std::vector<std::int32_t> weights(pairs);
  for (auto& pair : weights) {
    const auto low = static_cast<std::uint32_t>(rng.below(9)) - 4;
    const auto high = static_cast<std::uint32_t>(rng.below(9)) - 4;
    pair = static_cast<std::int32_t>((low & 0xffff) | high << 16);
  }
  for (const std::int32_t margin : {0, 1, 5, 1 << 20}) {
    const Screen screen{copy.get(), weights.data(), pairs, arms, margin};
    Found expected;
    const std::size_t count = scalar::screen_arms(screen, expected);
    test::on_every_target([&] {
      Found found;
      ASSERT_EQ(screen_arms(screen, found), count);
      EXPECT_THAT(std::span(found).first(count),
                  ElementsAreArray(std::span(expected).first(count)));
    });
  }
}

TEST_P(Screening, TheLargestIntegersDoNotOverflow) {
  const auto [arms, dimension] = GetParam();
  const auto x = Arms::generate(arms, dimension, [](std::size_t k, std::size_t) {
                   return k % 2 == 0 ? 1.0 : -1.0;
                 }).value();
  const ScreenedArms screened(x.view());
  const std::vector<double> theta(dimension, -1.0);
  const auto found = candidates(screened, theta);
  for (const ArmId arm : found) EXPECT_EQ(arm % 2, arms == 1 ? 0U : 1U);
  if (arms <= 100) {
    EXPECT_EQ(found.size(), std::max<std::size_t>(arms / 2, 1));
  }
}

TEST_P(Screening, EveryArmThatReachesTheLargestScoreIsACandidate) {
  const auto [arms, dimension] = GetParam();
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Arms x = test::normal_arms(arms, dimension, seed);
    const ScreenedArms screened(x.view());
    Rng rng(100 + seed);
    const auto theta = test::normal_vector(dimension, rng);
    std::vector<double> scores(x.view().padded_arms());
    score_arms(x.view(), theta, scores);
    const double best = *std::ranges::max_element(scores);
    const auto found = candidates(screened, theta);
    if (found.empty()) continue;  // too many near arms: no claim is made
    EXPECT_TRUE(std::ranges::is_sorted(found));
    for (ArmId k = 0; k < arms; ++k) {
      if (scores[k] == best) {
        EXPECT_THAT(found, Contains(k));
      }
    }
  }
}

TEST(ScreenedArms, FewArmsRemainOfMany) {
  const Arms x = test::normal_arms(20'000, 10, 1);
  const ScreenedArms screened(x.view());
  Rng rng(2);
  for (int repetition = 0; repetition < 20; ++repetition) {
    const auto found = candidates(screened, test::normal_vector(10, rng));
    EXPECT_GE(found.size(), 1U);
    EXPECT_LE(found.size(), 20U);
  }
}

// Arms apart by less than any screen can see, among many that are far below.
TEST(ScreenedArms, NearTiesAreAllCandidates) {
  constexpr std::size_t arms = 10'001;
  for (const double gap : {0.0, 1e-17, 1e-12, 1e-9, 1e-6}) {
    const auto x = Arms::generate(arms, 3, [&](std::size_t k, std::size_t j) {
                     const double base =
                         k % 500 == 7 ? 1.0 : 0.5 * std::sin(static_cast<double>(k));
                     return j == 0 ? base + gap * static_cast<double>(k) / arms : base;
                   }).value();
    const auto found = candidates(ScreenedArms(x.view()), std::vector<double>{1.0, 0.3, 0.7});
    ASSERT_FALSE(found.empty());
    EXPECT_THAT(found, Contains(ArmId{9507}));
    if (gap < 1e-6) {
      EXPECT_EQ(found.size(), 20U);
    }
  }
}

TEST(ScreenedArms, NoClaimIsMadeWhenTooManyArmsTie) {
  const auto x = Arms::generate(1000, 4, [](std::size_t, std::size_t) { return 1.0; }).value();
  EXPECT_TRUE(candidates(ScreenedArms(x.view()), std::vector<double>(4, 1.0)).empty());
}

TEST(ScreenedArms, NoClaimIsMadeForAThetaOfZerosOrOfExtremes) {
  const Arms x = test::normal_arms(1000, 4, 5);
  const ScreenedArms screened(x.view());
  for (const double value : {0.0, 1e-300, 1e300, std::nan(""), HUGE_VAL})
    EXPECT_TRUE(candidates(screened, std::vector<double>(4, value)).empty());
}

TEST(ScreenedArms, FeaturesOfVeryDifferentSizesKeepTheBestArm) {
  Rng rng(6);
  const auto x = Arms::generate(500, 4, [&](std::size_t, std::size_t j) {
                   const double sizes[] = {1e-200, 1.0, 1e200, 1e-300};
                   return sizes[j] * kernels::normal(rng);
                 }).value();
  const ScreenedArms screened(x.view());
  for (const auto& theta :
       {std::vector<double>{1e200, 1.0, 1e-200, 1e300}, std::vector<double>{0.0, 1.0, 0.0, 1.0}}) {
    std::vector<double> scores(x.view().padded_arms());
    score_arms(x.view(), theta, scores);
    const auto found = candidates(screened, theta);
    if (!found.empty()) {
      EXPECT_THAT(found, Contains(best_arms(scores).first));
    }
  }
}

}  // namespace
}  // namespace phe::kernels
