#include "kernels/flip_sums.hpp"

#include <array>
#include <bit>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aligned_vector.hpp"
#include "kernels/normal.hpp"
#include "support/simd.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::kernels {
namespace {

using ::testing::Combine;
using ::testing::Each;
using ::testing::ElementsAreArray;
using ::testing::Values;

// Rows of features, and the sums of flip_rounds rounds.
struct Rows {
  Rows(std::size_t rows, std::size_t features)
      : count(rows), dimension(features), x(rows * stride), ahead(flip_rounds * stride) {}

  [[nodiscard]] double& at(std::size_t l, std::size_t j) { return x[l * stride + j]; }
  [[nodiscard]] double sum(std::size_t round, std::size_t j) const {
    return ahead[round * stride + j];
  }
  void add(std::uint64_t flips, Rng& rng) {
    add_flip_sums(x.data(), count, dimension, stride, flips, rng, ahead.data());
  }
  void draw(std::uint64_t flips, Rng& rng) {
    std::ranges::fill(ahead, 0.0);
    add(flips, rng);
  }

  std::size_t count;
  std::size_t dimension;
  std::size_t stride = (dimension + 7) / 8 * 8;
  AlignedVector x;
  AlignedVector ahead;
};

Rows normal_rows(std::size_t count, std::size_t dimension, Rng& rng) {
  Rows rows(count, dimension);
  for (std::size_t l = 0; l < count; ++l)
    for (std::size_t j = 0; j < dimension; ++j) rows.at(l, j) = normal(rng);
  return rows;
}

void expect_twins(std::size_t count, std::size_t dimension, std::uint64_t flips) {
  Rng start(31);
  Rows expected = normal_rows(count, dimension, start);
  for (std::size_t r = 0; r < flip_rounds; ++r)
    for (std::size_t j = 0; j < dimension; ++j)
      expected.ahead[r * expected.stride + j] = normal(start);
  const Rows before = expected;
  Rng twin_rng = start;
  scalar::add_flip_sums(expected.x.data(), count, dimension, expected.stride, flips, twin_rng,
                        expected.ahead.data());
  test::on_every_target([&] {
    Rows rows = before;
    Rng rng = start;
    rows.add(flips, rng);
    EXPECT_THAT(rows.ahead, ElementsAreArray(expected.ahead)) << count << " rows";
    EXPECT_EQ(rng.state(), twin_rng.state());
  });
}

class AddFlipSums : public ::testing::TestWithParam<std::tuple<std::size_t, std::uint64_t>> {};

INSTANTIATE_TEST_SUITE_P(Tails, AddFlipSums,
                         Combine(Values(1, 2, 4, 5, 8, 9, 20, 24, 25, 64), Values(1, 2, 3)));

TEST_P(AddFlipSums, EveryTargetGivesTheBitsAndTheGeneratorStateOfTheScalarTwin) {
  const auto [dimension, flips] = GetParam();
  for (const std::size_t count : {0, 1, 3, 4, 5, 31, 32, 33, 63, 64, 65, 200})
    expect_twins(count, dimension, flips);
}

// 32 rows per feature, row l being 2^(l mod 32): the sums are the flips, read as whole numbers.
Rows decodable_rows(std::size_t count) {
  Rows rows(count, (count + 31) / 32);
  for (std::size_t l = 0; l < count; ++l)
    rows.at(l, l / 32) = std::ldexp(1.0, static_cast<int>(l % 32));
  return rows;
}

TEST(FlipSums, EveryRowAndRoundHasABitOfTheGeneratorForItself) {
  constexpr std::size_t count = 150;
  constexpr std::uint64_t used = (std::uint64_t{1} << 32) - 1;
  Rows rows = decodable_rows(count);
  test::on_every_target([&] {
    Rng rng(41);
    Rng reference = rng;
    rows.draw(1, rng);
    for (std::size_t block = 0; block < rows.dimension; ++block) {
      const std::uint64_t present = used >> (block == count / 32 ? 32 - count % 32 : 0);
      Rng::Step words;
      for (std::size_t r = 0; r < flip_rounds; ++r) {
        if (r % 16 == 0) reference.step(words);
        const std::uint64_t half = words[r / 2 % 8] >> (r % 2 == 0 ? 0 : 32);
        ASSERT_EQ(static_cast<std::uint64_t>(rows.sum(r, block)), half & present);
      }
    }
    EXPECT_EQ(rng.state(), reference.state());
  });
}

// The flips of 64 rows: bit l of word r.
using FlipMatrix = std::array<std::uint64_t, flip_rounds>;

FlipMatrix draw_flips(Rows& rows, Rng& rng) {
  FlipMatrix flips;
  rows.draw(1, rng);
  for (std::size_t r = 0; r < flip_rounds; ++r)
    flips[r] = static_cast<std::uint64_t>(rows.sum(r, 0)) |
               static_cast<std::uint64_t>(rows.sum(r, 1)) << 32;
  return flips;
}

// 64 rounds from `first` on: bit r of word l.
std::array<std::uint64_t, 64> transpose(const FlipMatrix& flips, std::size_t first) {
  std::array<std::uint64_t, 64> transposed{};
  for (std::size_t r = 0; r < 64; ++r)
    for (std::size_t l = 0; l < 64; ++l) transposed[l] |= (flips[first + r] >> l & 1) << r;
  return transposed;
}

// How far a share of n events of probability 1/2 may be off before a test fails: 5.5 standard
// errors, which one of ten thousand shares exceeds for one seed in 2,600.
double tolerance(double n) { return 5.5 * 0.5 / std::sqrt(n); }

TEST(FlipSums, EachRowInEachRoundShowsHeadsHalfOfTheTime) {
  const std::size_t draws = test::draws(80'000);
  std::array<std::array<std::uint64_t, 64>, flip_rounds> heads{};
  Rows rows = decodable_rows(64);
  Rng rng(42);
  for (std::size_t i = 0; i < draws; ++i) {
    const FlipMatrix flips = draw_flips(rows, rng);
    for (std::size_t r = 0; r < flip_rounds; ++r)
      for (std::size_t l = 0; l < 64; ++l) heads[r][l] += flips[r] >> l & 1;
  }
  // 0.0097, so that 0.49 or 0.51 would be seen.
  const double allowed = tolerance(static_cast<double>(draws));
  for (const auto& round : heads)
    for (const std::uint64_t count : round)
      ASSERT_NEAR(static_cast<double>(count) / static_cast<double>(draws), 0.5, allowed);
}

// How often the bits of each two of `size` words agree.
template <std::size_t size>
class Agreements {
 public:
  void add(const std::array<std::uint64_t, size>& words) {
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < i; ++j)
        count_[i][j] += static_cast<std::uint64_t>(std::popcount(~(words[i] ^ words[j])));
    bits_ += 64;
  }
  void expect_half_of_each_pair() const {
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < i; ++j)
        ASSERT_NEAR(static_cast<double>(count_[i][j]) / bits_, 0.5, tolerance(bits_))
            << i << " and " << j;
  }

 private:
  std::array<std::array<std::uint64_t, size>, size> count_{};
  double bits_ = 0;
};

TEST(FlipSums, FlipsAgreeHalfOfTheTimeBetweenAnyTwoRowsAndAnyTwoRounds) {
  Agreements<flip_rounds> of_rounds;
  Agreements<64> of_rows;
  Rows rows = decodable_rows(64);
  Rng rng(43);
  // 320,000 bits or more per pair: a share of 0.505 would be seen.
  for (std::size_t i = 0; i < test::draws(5'000); ++i) {
    const FlipMatrix flips = draw_flips(rows, rng);
    of_rounds.add(flips);
    for (std::size_t r = 0; r < flip_rounds; r += 64) of_rows.add(transpose(flips, r));
  }
  of_rounds.expect_half_of_each_pair();
  of_rows.expect_half_of_each_pair();
}

TEST(FlipSums, OneCallDoesNotRepeatTheFlipsOfAnother) {
  std::uint64_t agreements = 0;
  const std::size_t draws = test::draws(2'000);
  Rows rows = decodable_rows(64);
  Rng rng(44);
  FlipMatrix last = draw_flips(rows, rng);
  for (std::size_t i = 0; i < draws; ++i) {
    const FlipMatrix flips = draw_flips(rows, rng);
    for (std::size_t r = 0; r < flip_rounds; ++r)
      agreements += static_cast<std::uint64_t>(std::popcount(~(flips[r] ^ last[r])));
    last = flips;
  }
  const auto pairs = static_cast<double>(64 * flip_rounds * draws);
  EXPECT_NEAR(static_cast<double>(agreements) / pairs, 0.5, tolerance(pairs));
}

TEST(FlipSums, HeadsOfSeveralFlipsFollowTheBinomialLaw) {
  constexpr std::size_t count = 40;
  for (const std::uint64_t flips : {2, 3, 7}) {
    Rows rows(count, count);
    for (std::size_t l = 0; l < count; ++l) rows.at(l, l) = 1.0;
    const std::size_t calls = test::draws(200);
    std::vector<double> observed(flips + 1);
    Rng rng(45 + flips);
    for (std::size_t i = 0; i < calls; ++i) {
      rows.draw(flips, rng);
      for (std::size_t r = 0; r < flip_rounds; ++r)
        for (std::size_t l = 0; l < count; ++l)
          ++observed.at(static_cast<std::size_t>(rows.sum(r, l)));
    }
    const test::HalfBinomialLaw law(flips);
    std::vector<double> expected;
    for (std::uint64_t heads = 0; heads <= flips; ++heads)
      expected.push_back(static_cast<double>(law[heads]) *
                         static_cast<double>(calls * flip_rounds * count));
    EXPECT_GT(test::chi_square_p_value(observed, expected), 1e-4) << flips << " flips";
  }
}

TEST(FlipSums, MeanAndCovarianceOfTheSumsAreThoseOfTheFlips) {
  constexpr std::size_t d = 5;
  constexpr std::size_t count = 70;
  for (const std::uint64_t flips : {1, 3}) {
    Rng rng(46);
    Rows rows = normal_rows(count, d, rng);
    std::array<std::vector<double>, d> sums;
    for (std::size_t i = 0; i < test::draws(2'000); ++i) {
      rows.draw(flips, rng);
      for (std::size_t r = 0; r < flip_rounds; ++r)
        for (std::size_t j = 0; j < d; ++j) sums[j].push_back(rows.sum(r, j));
    }
    const auto n = static_cast<double>(sums[0].size());
    // flips / 4 sum x_i x_j, and flips / 2 sum x_j.
    const auto covariance = [&](std::size_t i, std::size_t j) {
      double sum = 0;
      for (std::size_t l = 0; l < count; ++l) sum += rows.at(l, i) * rows.at(l, j);
      return static_cast<double>(flips) / 4 * sum;
    };
    for (std::size_t i = 0; i < d; ++i) {
      double mean = 0;
      for (std::size_t l = 0; l < count; ++l)
        mean += static_cast<double>(flips) / 2 * rows.at(l, i);
      EXPECT_NEAR(test::mean(sums[i]), mean, 5 * std::sqrt(covariance(i, i) / n));
      for (std::size_t j = 0; j <= i; ++j) {
        // The standard error for normal sums; flips have lighter tails, so theirs is smaller.
        const double square =
            covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j);
        EXPECT_NEAR(test::covariance(sums[i], sums[j]), covariance(i, j),
                    5 * std::sqrt(square / n));
      }
    }
  }
}

TEST(FlipSums, WithoutRowsOrFlipsNothingIsDrawn) {
  Rng rng(47);
  const auto before = rng.state();
  Rows none(0, 5);
  none.draw(1, rng);
  EXPECT_THAT(none.ahead, Each(0.0));
  Rows some = normal_rows(40, 5, rng);
  const auto after_rows = rng.state();
  some.draw(0, rng);
  EXPECT_THAT(some.ahead, Each(0.0));
  EXPECT_EQ(rng.state(), after_rows);
  EXPECT_NE(before, after_rows);
}

}  // namespace
}  // namespace phe::kernels
