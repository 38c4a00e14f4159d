#include "kernels/binomial_half.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/binomial_tables.hpp"
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
  for (std::uint64_t m : {16383, 16384, 16385, 20001, 59078, 250'000, 524'287, 524'288})
    trials.push_back(m);
  for (unsigned bit = 14; bit <= 40; ++bit)
    for (std::uint64_t m = (std::uint64_t{1} << bit) - 1, end = m + 3; m < end; ++m)
      trials.push_back(m);
  trials.resize((trials.size() + 7) / 8 * 8);
  return trials;
}

// The same draws from the same generator, and the generator in the same state afterwards.
template <class Kernel, class Twin>
void expect_twins(Kernel kernel, Twin twin, std::size_t draws_each,
                  const std::vector<std::uint64_t>& trials, const Rng& start) {
  Rng twin_rng = start;
  std::vector<double> expected(trials.size() * draws_each);
  twin(trials, twin_rng, expected);
  test::on_every_target([&] {
    Rng rng = start;
    std::vector<double> draws(expected.size(), -1.0);
    kernel(trials, rng, draws);
    ASSERT_THAT(draws, ElementsAreArray(expected));
    EXPECT_EQ(rng.state(), twin_rng.state());
    Rng after = twin_rng;
    for (int i = 0; i < 20; ++i) ASSERT_EQ(rng(), after());
  });
}

void expect_twins(const std::vector<std::uint64_t>& trials, const Rng& start) {
  expect_twins(binomial_half, scalar::binomial_half, 1, trials, start);
}
void expect_row_twins(const std::vector<std::uint64_t>& trials, const Rng& start) {
  expect_twins(binomial_half_rows, scalar::binomial_half_rows, repetitions, trials, start);
}

TEST(BinomialHalf, EveryTargetGivesTheDrawsAndTheGeneratorStateOfTheScalarTwin) {
  auto trials = mixed_trials();
  Rng order(61);
  for (std::uint64_t seed = 0; seed < test::draws(200, 20); ++seed) {
    expect_twins(trials, Rng(seed));
    if (seed % 10 == 0) expect_row_twins(trials, Rng(seed));
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
    expect_twins(trials, Rng(arms));
    expect_row_twins({all.end() - static_cast<std::ptrdiff_t>(arms), all.end()}, Rng(arms));
  }
}

// The escape is the outcome of cell 0, so these 32 random bits always choose it, and those never.
constexpr std::uint64_t escaping = 0;
constexpr std::uint64_t staying = 0x80000000;

// Undoes one step of xoshiro256.
std::array<std::uint64_t, 4> step_back(const std::array<std::uint64_t, 4>& after) {
  const std::uint64_t mixed = std::rotr(after[3], 45);
  const std::uint64_t y = after[1] ^ after[2];
  const std::uint64_t s0 = after[0] ^ mixed;
  const std::uint64_t s1 = y ^ y << 17 ^ y << 34 ^ y << 51;
  return {s0, s1, after[1] ^ s1 ^ s0, mixed ^ s1};
}

// Sets a lane of the generator so that its n-th word from now is `word`: the state s0 = word,
// s3 = -word gives it at once.
void plan_word(Rng& rng, std::size_t lane, int n, std::uint64_t word) {
  std::array<std::uint64_t, 4> state = {word, 0x123456789abcdefULL, 0xfedcba987654321ULL, -word};
  for (int i = 1; i < n; ++i) state = step_back(state);
  for (std::size_t i = 0; i < 4; ++i) rng.state()[i][lane] = state[i];
}

TEST(BinomialHalf, DrawsThatEscapeFromTheTablesAreTheSameOnEveryTarget) {
  // An escape has a probability of about 1e-7, so the generator is made to give one: of the fine
  // digit, of the coarse one, or of both, in every lane.
  for (std::uint64_t digit = 1; digit < 16; ++digit) {
    for (const BinomialPlace place : {BinomialTables::fine, BinomialTables::coarse}) {
      ASSERT_EQ(BinomialTables::instance().outcome(place, digit, escaping), 0U);
      ASSERT_NE(BinomialTables::instance().outcome(place, digit, staying), 0U);
    }
    for (const std::uint64_t word :
         {staying << 32 | escaping, escaping << 32 | staying, escaping << 32 | escaping})
      for (std::size_t lane = 0; lane < Rng::lanes; ++lane) {
        std::vector<std::uint64_t> trials(16, 5000);
        trials[lane] = 1024 * digit + 64 * digit + 17;
        trials[(lane + 3) % 8] = 100'000;
        Rng start(66 + digit);
        plan_word(start, lane, 2, word);
        plan_word(start, (lane + 1) % 8, 2, word);
        expect_twins(trials, start);
        expect_row_twins({trials[lane], 5000, trials[lane]}, start);
      }
  }
}

TEST(BinomialHalf, DrawsThatEscapeFromALaterTableAreTheSameOnEveryTarget) {
  // From 2^14 on, words beyond the second choose from tables too: here the third and the fourth.
  for (const int n : {3, 4})
    for (const std::uint64_t word :
         {staying << 32 | escaping, escaping << 32 | staying, escaping << 32 | escaping})
      for (std::size_t lane = 0; lane < Rng::lanes; ++lane) {
        std::vector<std::uint64_t> trials(16, 5000);
        trials[lane] = 100'000;
        trials[(lane + 1) % 8] = 20'000;  // done after the third word
        Rng start(70 + lane);
        plan_word(start, lane, n, word);
        plan_word(start, (lane + 1) % 8, n, word);
        expect_twins(trials, start);
        expect_row_twins({100'000, 5000, 20'000}, start);
      }
}

TEST(BinomialHalf, AnEscapeFromALaterTableDrawsFromItsResidue) {
  const std::uint64_t m =
      16'384;  // 15 * 1024 from the low half of the third word, 1024 from the high
  Rng rng(71);
  plan_word(rng, 0, 3, staying << 32 | escaping);
  Rng reference = rng;
  std::vector<std::uint64_t> trials(8);
  trials[0] = m;
  std::vector<double> sums(8);
  binomial_half(trials, rng, sums);
  Rng::Step words;
  for (int i = 0; i < 3; ++i) reference.step(words);
  const BinomialTables& tables = BinomialTables::instance();
  const std::uint64_t low = draw_residue(15 * 1024, reference);
  const std::uint64_t high = tables.draw(BinomialTables::coarse, 1, staying, reference);
  EXPECT_EQ(sums[0], static_cast<double>(low + high));
}

TEST(BinomialHalf, AnEscapeDrawsFromTheResidueWithTheNextWords) {
  const std::uint64_t digit = 3;
  Rng rng(67);
  plan_word(rng, 0, 2, escaping << 32 | staying);
  Rng reference = rng;
  std::vector<std::uint64_t> trials(8);
  trials[0] = 1024 * digit;
  std::vector<double> sums(8);
  binomial_half(trials, rng, sums);
  Rng::Step words;
  reference.step(words);
  reference.step(words);
  EXPECT_EQ(sums[0], static_cast<double>(draw_residue(1024 * digit, reference)));
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

TEST(BinomialHalfRows, DrawsAreWholeNumbersFromZeroToTheTrials) {
  const auto trials = mixed_trials();
  std::vector<double> draws(trials.size() * repetitions);
  Rng rng(68);
  for (int i = 0; i < 20; ++i) {
    binomial_half_rows(trials, rng, draws);
    for (std::size_t k = 0; k < draws.size(); ++k) {
      ASSERT_GE(draws[k], 0.0);
      ASSERT_LE(draws[k], static_cast<double>(trials[k / repetitions]));
      ASSERT_EQ(draws[k], std::floor(draws[k]));
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
