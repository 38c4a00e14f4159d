#include "kernels/binomial_tables.hpp"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/exact_binomial.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::kernels {
namespace {

using ::testing::Combine;
using ::testing::Each;
using ::testing::Range;
using ::testing::Values;

constexpr std::uint64_t total = std::uint64_t{1} << 32;

// How many of the 2^32 bit patterns choose each outcome of a digit's table.
std::vector<std::uint64_t> weights_of(BinomialPlace place, std::uint64_t digit) {
  const std::uint64_t cells = std::uint64_t{1} << place.cell_bits;
  std::vector<std::uint64_t> weights(cells);
  for (std::uint64_t i = 0; i < cells; ++i) {
    const std::uint64_t cell = BinomialTables::instance().cells(place)[digit * cells + i];
    const std::uint64_t own = cell & place.low_bits();
    weights[i] += own;
    weights[cell >> place.shift()] += place.low_bits() + 1 - own;
  }
  return weights;
}

class Tables : public ::testing::TestWithParam<std::tuple<BinomialPlace, std::uint64_t>> {
 protected:
  BinomialPlace place = std::get<0>(GetParam());
  std::uint64_t digit = std::get<1>(GetParam());
  std::uint64_t n = place.unit() * digit;
};

INSTANTIATE_TEST_SUITE_P(AllDigits, Tables,
                         Combine(Values(BinomialTables::fine, BinomialTables::coarse),
                                 Range<std::uint64_t>(1, 16)));

TEST_P(Tables, WeightsAreTheFloorsOfTheExactProbabilitiesAndTheRestIsTheEscape) {
  const auto weights = weights_of(place, digit);
  EXPECT_EQ(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}), total);

  std::uint64_t escape = total;
  double residues = 0;
  std::size_t outcomes = 1;
  for (test::ExactBinomial exact(n);; exact.next()) {
    const std::uint64_t j = exact.outcome();
    residues += exact.residue();
    escape -= exact.weight();
    if (exact.weight() > 0) {
      const std::uint64_t outcome = place.centre() + j - n / 2;
      ASSERT_GT(outcome, 0U);
      ASSERT_LT(outcome, weights.size());
      ASSERT_EQ(weights[outcome], exact.weight()) << "P(X = " << j << "), n = " << n;
      ++outcomes;
    }
    if (j == n) break;
  }
  EXPECT_EQ(weights[0], escape);
  // What was cut off adds up to the escape: thousands of doubles below 1, each exact to 2^-53.
  EXPECT_NEAR(residues, static_cast<double>(escape), 1e-9);
  EXPECT_EQ(std::ranges::count_if(weights, [](auto weight) { return weight > 0; }),
            static_cast<std::ptrdiff_t>(outcomes));
}

TEST_P(Tables, OutcomesFollowFromTheirCells) {
  const auto& tables = BinomialTables::instance();
  Rng rng(81);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t bits = rng() >> 32;
    const std::uint64_t chosen = tables.outcome(place, digit, bits);
    Rng untouched(82);
    Rng same(82);
    const std::uint64_t value = tables.draw(place, digit, bits, untouched);
    if (chosen == 0) continue;
    ASSERT_EQ(value + place.centre(), n / 2 + chosen);
    ASSERT_EQ(untouched(), same());
  }
}

TEST(TablesOfDigitZero, EveryCellGivesZero) {
  const auto& tables = BinomialTables::instance();
  Rng rng(83);
  for (const BinomialPlace place : {BinomialTables::fine, BinomialTables::coarse}) {
    const auto weights = weights_of(place, 0);
    EXPECT_EQ(weights[place.centre()], total);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(tables.draw(place, 0, rng() >> 32, rng), 0U);
  }
}

class Residue : public ::testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Trials, Residue,
                         Values(64, 2 * 64, 7 * 64, 15 * 64, 1024, 5 * 1024, 15 * 1024));

TEST_P(Residue, DrawsFollowWhatTheFloorsCutOff) {
  const std::uint64_t n = GetParam();
  const std::size_t count = test::draws(n < 1024 ? 30'000 : 20'000'000 / n, 2000);
  std::vector<double> residue(n + 1);
  for (test::ExactBinomial exact(n);; exact.next()) {
    residue[exact.outcome()] = exact.residue();
    if (exact.outcome() == n) break;
  }
  const double sum = std::accumulate(residue.begin(), residue.end(), 0.0);

  std::vector<double> drawn(n + 1);
  Rng rng(84);
  for (std::size_t i = 0; i < count; ++i) ++drawn[draw_residue(n, rng)];

  // Neighbours are pooled until they expect 20 draws.
  std::vector<double> observed(1);
  std::vector<double> expected(1);
  for (std::uint64_t j = 0; j <= n; ++j) {
    EXPECT_TRUE(residue[j] > 0 || drawn[j] == 0) << j;
    observed.back() += drawn[j];
    expected.back() += residue[j] / sum * static_cast<double>(count);
    if (expected.back() >= 20) {
      observed.push_back(0);
      expected.push_back(0);
    }
  }
  observed[observed.size() - 2] += observed.back();
  expected[expected.size() - 2] += expected.back();
  observed.pop_back();
  expected.pop_back();
  ASSERT_GT(observed.size(), 10U);
  EXPECT_GT(test::chi_square_p_value(observed, expected), 1e-6);
}

}  // namespace
}  // namespace phe::kernels
