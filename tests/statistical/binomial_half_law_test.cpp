// The kernel's draws against the exact law of B(m, 1/2), and against each other.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "kernels/binomial_half.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::kernels {
namespace {

using ::testing::Values;

constexpr std::size_t count = test::draws(2'000'000) / 4096 * 4096;
constexpr auto n = static_cast<double>(count);

// `count` draws of B(m, 1/2), passed on one by one; half of them by each of the two kernels.
template <class Receive>
void draw(std::uint64_t m, Receive receive) {
  Rng rng(StreamKey(101).with(m));
  std::vector<double> draws(4096);
  for (std::size_t i = 0; i < count; i += draws.size()) {
    if (i < count / 2) {
      binomial_half(std::vector(draws.size(), m), rng, draws);
    } else {
      binomial_half_rows(std::vector(draws.size() / repetitions, m), rng, draws);
    }
    for (const double x : draws) receive(x);
  }
}

class BinomialHalfLaw : public ::testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Trials, BinomialHalfLaw,
                         Values(0, 1, 2, 7, 31, 32, 63, 64, 65, 100, 127, 128, 1000, 1023, 1024,
                                1025, 5000, 16383, 16384, 16385, 20001, 59078, 262'143, 524'287,
                                524'288, 1'000'000, 1'000'000'000, std::uint64_t{1} << 40));

TEST_P(BinomialHalfLaw, DrawsPassChiSquareAndHaveTheRightMomentsAndTails) {
  const std::uint64_t m = GetParam();
  const auto trials = static_cast<double>(m);
  const double sd = std::sqrt(trials) / 2;
  test::HalfBinomialBins bins(m, count);
  std::array<double, 2> above{};  // draws beyond 3 and 4 standard deviations
  std::array<double, 2> below{};
  double sum = 0;
  double squares = 0;
  draw(m, [&](double x) {
    bins.add(x);
    sum += x - trials / 2;
    squares += (x - trials / 2) * (x - trials / 2);
    for (std::size_t i = 0; i < 2; ++i) {
      const double reach = static_cast<double>(3 + i) * sd;
      above[i] += x > trials / 2 + reach ? 1 : 0;
      below[i] += x < trials / 2 - reach ? 1 : 0;
    }
  });
  RecordProperty("bins", static_cast<int>(bins.size()));
  RecordProperty("p_value", std::to_string(bins.p_value()));
  EXPECT_GT(bins.p_value(), 1e-6);
  // Nor may it fit better than chance lets it.
  EXPECT_TRUE(bins.size() <= 10 || bins.p_value() < 1 - 1e-6);

  const double variance = trials / 4;
  EXPECT_NEAR(sum / n, 0, 5 * std::sqrt(variance / n));
  // The fourth central moment is 3 variance^2 - variance / 2.
  const double spread = std::max(2 * variance * variance - variance / 2, 0.0);
  EXPECT_NEAR(squares / n, variance, 5 * std::sqrt(spread / n) + 1e-12 * variance);

  const test::HalfBinomialLaw law(m);
  for (std::size_t i = 0; i < 2; ++i) {
    // The law is symmetric. A count of rare events has the variance of its mean; 3 more for skew.
    const double expected = n * law.above(trials / 2 + static_cast<double>(3 + i) * sd);
    EXPECT_NEAR(above[i], expected, 5 * std::sqrt(expected) + 3);
    EXPECT_NEAR(below[i], expected, 5 * std::sqrt(expected) + 3);
  }
}

// Draws of 16 places, round after round: of 16 arms by one kernel, or of 16 repetitions of the rows
// of two arms by the other. All numbers of trials are odd, so that half of the draws lie on each
// side of the mean and none on it.
struct Draws {
  const char* name;
  std::vector<std::uint64_t> trials;  // one for each place
  bool rows;
};

class Independence : public ::testing::TestWithParam<Draws> {
 protected:
  static constexpr std::size_t places = 16;
  static constexpr std::size_t rounds = test::draws(100'000);

  Independence() : sample(places, std::vector<double>(rounds)) {
    Rng rng(102);
    std::vector<double> draws(places);
    const auto& trials = GetParam().trials;
    for (std::size_t t = 0; t < rounds; ++t) {
      if (GetParam().rows) {
        binomial_half_rows(std::span(trials).first(1), rng, draws);
      } else {
        binomial_half(trials, rng, draws);
      }
      for (std::size_t k = 0; k < places; ++k)
        sample[k][t] = draws[k] - static_cast<double>(trials[k]) / 2;
    }
  }

  // A correlation of n independent pairs has sd 1 / sqrt(n).
  static void expect_uncorrelated(std::span<const double> x, std::span<const double> y) {
    EXPECT_LT(std::abs(test::correlation(x, y)), 5.5 / std::sqrt(static_cast<double>(rounds)));
  }

  // The signs of both, in a 2 x 2 table, each cell of which should hold a quarter.
  static void expect_independent_signs(std::span<const double> x, std::span<const double> y) {
    std::array<double, 4> counts{};
    for (std::size_t i = 0; i < x.size(); ++i)
      ++counts[(x[i] > 0 ? 2U : 0U) + (y[i] > 0 ? 1U : 0U)];
    EXPECT_GT(test::uniform_p_value(counts), 1e-7);
  }

  std::vector<std::vector<double>> sample;
};

INSTANTIATE_TEST_SUITE_P(Kernels, Independence,
                         Values(Draws{"arms",
                                      {1, 1, 7, 63, 65, 65, 101, 999, 65, 129, 1025, 5001, 16383,
                                       16385, 59079, 1048577},
                                      false},
                                Draws{"short_rows", std::vector<std::uint64_t>(16, 31), true},
                                Draws{"rows", std::vector<std::uint64_t>(16, 1345), true},
                                Draws{"large_rows", std::vector<std::uint64_t>(16, 20001), true}),
                         [](const auto& draws) { return draws.param.name; });

TEST_P(Independence, PlacesOfARoundAreIndependent) {
  for (std::size_t i = 0; i < places; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      SCOPED_TRACE(testing::Message() << "places " << i << " and " << j);
      expect_uncorrelated(sample[i], sample[j]);
      expect_independent_signs(sample[i], sample[j]);
    }
}

TEST_P(Independence, ConsecutiveRoundsAreIndependent) {
  for (std::size_t i = 0; i < places; ++i)
    for (std::size_t j = 0; j < places; ++j) {
      SCOPED_TRACE(testing::Message() << "place " << i << ", then place " << j);
      const auto before = std::span(sample[i]).first(rounds - 1);
      const auto after = std::span(sample[j]).last(rounds - 1);
      expect_uncorrelated(before, after);
      expect_independent_signs(before, after);
    }
}

TEST_P(Independence, SizesOfDeviationsAreUncorrelatedToo) {
  for (auto& place : sample)
    for (double& value : place) value *= value;
  for (std::size_t i = 0; i < places; ++i)
    for (std::size_t j = 0; j < i; ++j)  // a single trial never deviates by more or less
      if (GetParam().trials[i] > 1 && GetParam().trials[j] > 1)
        expect_uncorrelated(sample[i], sample[j]);
}

}  // namespace
}  // namespace phe::kernels
