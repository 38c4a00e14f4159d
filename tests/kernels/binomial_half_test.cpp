#include "kernels/binomial_half.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/simd.hpp"
#include "support/sizes.hpp"

namespace phe::kernels {
namespace {

using ::testing::Each;
using ::testing::ElementsAreArray;

// Trials of every kind: each number of flips, each fine and coarse digit, the borders, and
// magnitudes up to 2^40.
std::vector<std::uint64_t> mixed_trials() {
  std::vector<std::uint64_t> trials;
  for (std::uint64_t m = 0; m < 64; ++m) trials.push_back(m);
  for (std::uint64_t digit = 0; digit < 16; ++digit)
    for (std::uint64_t rest : {0, 1, 63}) {
      trials.push_back(64 * digit + rest);
      trials.push_back(1024 * digit + rest);
      trials.push_back(1024 * digit + 64 * (15 - digit) + rest);
    }
  for (std::uint64_t m : {16383, 16384, 16385, 20001, 59078}) trials.push_back(m);
  for (unsigned bit = 14; bit <= 40; ++bit)
    for (std::uint64_t m = (std::uint64_t{1} << bit) - 1, end = m + 3; m < end; ++m)
      trials.push_back(m);
  trials.resize((trials.size() + 7) / 8 * 8);
  return trials;
}

// The same draws from the same generator, and the generator in the same state afterwards.
void expect_twins(const std::vector<std::uint64_t>& trials, std::uint64_t seed) {
  Rng scalar_rng(seed);
  std::vector<double> expected(trials.size());
  scalar::binomial_half(trials, scalar_rng, expected);
  test::on_every_target([&] {
    Rng rng(seed);
    std::vector<double> sums(trials.size(), -1.0);
    binomial_half(trials, rng, sums);
    ASSERT_THAT(sums, ElementsAreArray(expected));
    EXPECT_EQ(rng.state(), scalar_rng.state());
    Rng after = scalar_rng;
    for (int i = 0; i < 20; ++i) ASSERT_EQ(rng(), after());
  });
}

TEST(BinomialHalf, EveryTargetGivesTheDrawsAndTheGeneratorStateOfTheScalarTwin) {
  auto trials = mixed_trials();
  Rng order(61);
  for (std::uint64_t seed = 0; seed < test::draws(200, 20); ++seed) {
    expect_twins(trials, seed);
    // In another order, so that all kinds share blocks with all others.
    for (std::size_t i = trials.size(); i > 1; --i)
      std::swap(trials[i - 1], trials[order.below(i)]);
  }
}

TEST(BinomialHalf, EveryTargetAgreesWithTheScalarTwinWhateverTheNumberOfArms) {
  const auto all = mixed_trials();
  for (const std::size_t arms : {1, 3, 7, 8, 9, 31, 32, 33, 100}) {
    std::vector<std::uint64_t> trials(all.end() - static_cast<std::ptrdiff_t>(arms), all.end());
    trials.resize((arms + 7) / 8 * 8);
    expect_twins(trials, arms);
  }
}

TEST(BinomialHalf, TargetsAgreeOnTheRareDrawsThatEscapeFromTheTables) {
  // An escape has a probability of about 1e-7 a draw, so these draws hold several dozen.
  const std::vector<std::uint64_t> trials(8192, 15 * 1024 + 15 * 64 + 7);
  const std::size_t repetitions = test::draws(4000, 100);
  Rng scalar_rng(62);
  std::vector<double> expected(trials.size());
  std::vector<double> sums(trials.size());
  std::vector<Rng> rngs(simd_targets().size(), scalar_rng);
  for (std::size_t i = 0; i < repetitions; ++i) {
    scalar::binomial_half(trials, scalar_rng, expected);
    Rng* rng = rngs.data();
    test::on_every_target([&] {
      binomial_half(trials, *rng, sums);
      ASSERT_TRUE(std::ranges::equal(sums, expected));
      ASSERT_EQ(rng->state(), scalar_rng.state());
      ++rng;
    });
  }
}

TEST(BinomialHalf, NoTrialsGiveZero) {
  const std::vector<std::uint64_t> trials(64, 0);
  std::vector<double> sums(64, -1.0);
  Rng rng(63);
  for (int i = 0; i < 100; ++i) {
    binomial_half(trials, rng, sums);
    ASSERT_THAT(sums, Each(0.0));
  }
  // Nor in a block with arms of many trials.
  auto mixed = trials;
  for (std::size_t i = 0; i < mixed.size(); i += 2) mixed[i] = 1 + i * i * i * i;
  for (int i = 0; i < 100; ++i) {
    binomial_half(mixed, rng, sums);
    for (std::size_t k = 1; k < sums.size(); k += 2) ASSERT_EQ(sums[k], 0.0);
  }
}

TEST(BinomialHalf, DrawsAreWholeNumbersFromZeroToTheTrials) {
  const auto trials = mixed_trials();
  std::vector<double> sums(trials.size());
  Rng rng(64);
  for (int i = 0; i < 200; ++i) {
    binomial_half(trials, rng, sums);
    for (std::size_t k = 0; k < trials.size(); ++k) {
      ASSERT_GE(sums[k], 0.0);
      ASSERT_LE(sums[k], static_cast<double>(trials[k]));
      ASSERT_EQ(sums[k], std::floor(sums[k]));
    }
  }
}

TEST(BinomialHalf, AnEmptySpanLeavesTheGeneratorAlone) {
  Rng rng(65);
  const auto before = rng.state();
  binomial_half({}, rng, {});
  EXPECT_EQ(rng.state(), before);
}

}  // namespace
}  // namespace phe::kernels
