// Pseudo-rewards keep their law, however pulls and draws follow each other.
#include <cmath>

#include <gtest/gtest.h>

#include "support/arm_flips.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe {
namespace {

using ::testing::Values;

constexpr std::size_t arms = 40;

// How many pulls come before each draw, at most. Fewer than one a draw leaves all to what was drawn
// ahead; 40 of 40 arms are more than are kept apart from it.
// Fixed arms and single rows are drawn ahead in different ways.
class PseudoRewardsLaw
    : public ::testing::TestWithParam<std::tuple<std::uint64_t, test::ArmFlips::Kind>> {
 protected:
  // Arms e_1 .. e_K, so that the vector sum_i x_i U_i is the U_i themselves. In each round each
  // (U_i - m_i / 2) / sqrt(m_i / 4) has mean 0 and variance 1.
  PseudoRewardsLaw() : noise(arms) {
    const auto [most_pulls, kind] = GetParam();
    test::ArmFlips pseudo(kind == test::ArmFlips::Kind::single ? 2 : 1.5, test::unit_arms(arms),
                          kind);
    std::vector<std::uint64_t> pulls(arms);
    Rng rng(161);
    const auto pull = [&](ArmId arm) { pseudo.set_pulls(arm, ++pulls[arm]); };
    for (ArmId arm = 0; arm < arms; ++arm) pull(arm);
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::uint64_t i = rng.below(most_pulls + 1); i > 0; --i)
        pull(static_cast<ArmId>(rng.below(arms)));
      const auto sums = pseudo.draw(rng);
      for (ArmId arm = 0; arm < arms; ++arm) {
        const auto m = static_cast<double>(pseudo.trials(arm));
        noise[arm].push_back((sums[arm] - m / 2) / std::sqrt(m / 4));
      }
    }
  }

  static constexpr std::size_t rounds = test::draws(20'000, 5000);
  static constexpr auto n = static_cast<double>(rounds);
  std::vector<std::vector<double>> noise;
};

INSTANTIATE_TEST_SUITE_P(PullsPerDraw, PseudoRewardsLaw,
                         ::testing::Combine(Values(0, 1, 3, 40),
                                            Values(test::ArmFlips::Kind::repeated,
                                                   test::ArmFlips::Kind::single)));

TEST_P(PseudoRewardsLaw, EveryArmHasItsMeanAndVariance) {
  for (const auto& arm : noise) {
    EXPECT_NEAR(test::mean(arm), 0, 5 / std::sqrt(n));
    // The variance of n values of kurtosis below 3 has a standard deviation of at most sqrt(2 / n).
    EXPECT_NEAR(test::covariance(arm, arm), 1, 5 * std::sqrt(2 / n));
  }
}

TEST_P(PseudoRewardsLaw, RoundsAreIndependent) {
  // A correlation of n independent pairs has sd 1 / sqrt(n).
  for (ArmId arm = 0; arm < arms; arm += 7)
    for (std::size_t lag = 1; lag <= 65; ++lag)
      EXPECT_LT(
          std::abs(test::correlation(std::span(noise[arm]).first(rounds - lag),
                                     std::span(noise[(arm + lag) % arms]).last(rounds - lag))),
          5 / std::sqrt(n - static_cast<double>(lag)));
  for (const auto& arm : noise)
    for (std::size_t lag = 1; lag <= 65; ++lag)
      EXPECT_LT(std::abs(test::correlation(std::span(arm).first(rounds - lag),
                                           std::span(arm).last(rounds - lag))),
                5 / std::sqrt(n - static_cast<double>(lag)));
}

TEST_P(PseudoRewardsLaw, ArmsAreIndependent) {
  for (std::size_t i = 0; i < arms; ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_LT(std::abs(test::correlation(noise[i], noise[j])), 5 / std::sqrt(n));
}

// Rows are drawn ahead 128 at a time: of 641 arms every 128th has a feature of its own, and the
// others none.
TEST(PseudoRewardsOfManyArms, AreIndependentBetweenTheChunksTheyAreDrawnIn) {
  constexpr std::size_t chunk = 128;
  constexpr std::size_t chunks = 6;
  constexpr std::size_t many = chunk * (chunks - 1) + 1;
  test::ArmFlips pseudo(1, Arms::generate(many, chunks, [](auto arm, auto feature) {
                             return arm == feature * chunk;
                           }).value());
  for (ArmId arm = 0; arm < many; ++arm) pseudo.set_pulls(arm, 40 + arm % 3);
  Rng rng(162);
  constexpr std::size_t rounds = test::draws(5000, 1000);
  std::vector<std::vector<double>> noise(chunks);
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto sums = pseudo.draw(rng);
    for (std::size_t i = 0; i < chunks; ++i) noise[i].push_back(sums[i]);
  }
  for (std::size_t i = 0; i < chunks; ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_LT(std::abs(test::correlation(noise[i], noise[j])),
                5 / std::sqrt(static_cast<double>(rounds)));
}

}  // namespace
}  // namespace phe
