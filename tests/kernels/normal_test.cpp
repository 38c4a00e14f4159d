#include "kernels/normal.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::kernels {
namespace {

constexpr std::size_t count = test::draws(4'000'000);
constexpr auto n = static_cast<double>(count);

const std::vector<double>& sample() {
  static const std::vector<double> values = [] {
    Rng rng(51);
    std::vector<double> x(count);
    for (double& value : x) value = normal(rng);
    return x;
  }();
  return values;
}

double upper_tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

TEST(Normal, FirstSixMomentsAreThoseOfTheNormalLaw) {
  // E x^k = 0, 1, 0, 3, 0, 15; the variance of x^k is E x^2k minus the square of E x^k.
  const double moments[] = {0, 1, 0, 3, 0, 15};
  const double even[] = {1, 3, 15, 105, 945, 10395};  // E x^2k
  for (int k = 1; k <= 6; ++k) {
    double sum = 0;
    for (const double x : sample()) sum += std::pow(x, k);
    const double moment = moments[k - 1];
    EXPECT_NEAR(sum / n, moment, 5 * std::sqrt((even[k - 1] - moment * moment) / n)) << k;
  }
}

TEST(Normal, DistributionFunctionPassesKolmogorovsTest) {
  auto sorted = sample();
  std::ranges::sort(sorted);
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double below = 1 - upper_tail(sorted[i]);
    distance = std::max(
        {distance, below - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - below});
  }
  EXPECT_GT(test::kolmogorov_tail(std::sqrt(n) * distance), 1e-6);
}

TEST(Normal, EveryLayerOfTheZigguratIsHitAsItShould) {
  // 512 bins between the edges of the layers, on both sides; the outermost are the tails.
  const auto& edge = Ziggurat::instance().edge;
  std::vector<double> ends;  // descending in |x|, so ascending when negative
  for (std::size_t i = 1; i < edge.size(); ++i) ends.push_back(-edge[i]);
  for (std::size_t i = edge.size() - 1; i-- > 1;) ends.push_back(edge[i]);
  std::vector<double> observed(ends.size() + 1);
  for (const double x : sample())
    ++observed[static_cast<std::size_t>(std::ranges::lower_bound(ends, x) - ends.begin())];
  std::vector<double> expected;
  double before = 0;
  for (const double end : ends) {
    const double below = end < 0 ? upper_tail(-end) : 1 - upper_tail(end);
    expected.push_back(n * (below - before));
    before = below;
  }
  expected.push_back(n * upper_tail(ends.back()));
  EXPECT_GT(*std::ranges::min_element(expected), 20.0);
  EXPECT_GT(test::chi_square_p_value(observed, expected), 1e-6);
}

TEST(Normal, TailsBeyondTheLastLayerHaveTheirProbability) {
  for (const double from : {3.0, Ziggurat::tail, 4.0, 4.5}) {
    const auto beyond =
        static_cast<double>(std::ranges::count_if(sample(), [&](double x) { return x > from; }));
    const auto below =
        static_cast<double>(std::ranges::count_if(sample(), [&](double x) { return x < -from; }));
    const double expected = n * upper_tail(from);
    // A count of rare events has the variance of its mean; 3 more allow for its skewness.
    EXPECT_NEAR(beyond, expected, 5 * std::sqrt(expected) + 3) << from;
    EXPECT_NEAR(below, expected, 5 * std::sqrt(expected) + 3) << from;
  }
}

// Words that are given first, and random ones after them: so each branch can be entered by name.
struct Scripted {
  std::vector<std::uint64_t> first;
  Rng& rest;
  std::size_t used = 0;
  std::uint64_t operator()() { return used < first.size() ? first[used++] : rest(); }
};

// A word that asks for place u in [0, 1) of a layer.
std::uint64_t word_of(std::size_t layer, double u) {
  return static_cast<std::uint64_t>(u * 0x1p53) << 11 | layer;
}

// Each of 20 equally likely parts of the tail has its share: 4e6 draws see an error of 1.1%.
TEST(Normal, TheTailHasItsLaw) {
  Rng rng(52);
  std::vector<double> parts(20);
  for (std::size_t i = 0; i < count; ++i) {
    Scripted words{{word_of(0, 1 - 0x1p-53)}, rng};
    const double x = normal(words);
    ASSERT_GT(x, Ziggurat::tail);
    ++parts[std::min<std::size_t>(
        static_cast<std::size_t>(20 * upper_tail(x) / upper_tail(Ziggurat::tail)), 19)];
  }
  EXPECT_GT(test::uniform_p_value(parts), 1e-6);
  for (const double part : parts) EXPECT_NEAR(part, n / 20, 5 * std::sqrt(n / 20));
}

// A place beyond the inner part of a layer is taken with the curve's share of the layer's height.
// Of 200,000 places per layer an error of 1% of that probability shows: 5 sigma is 0.56%.
TEST(Normal, WedgesAreCutAlongTheCurve) {
  const Ziggurat& z = Ziggurat::instance();
  Rng rng(53);
  for (const std::size_t layer : {1U, 2U, 20U, 100U, 200U, 254U, 255U}) {
    const double inner = z.edge[layer + 1] / z.edge[layer];
    const std::size_t places = test::draws(200'000);
    double taken = 0;
    double expected = 0;
    for (std::size_t i = 0; i < places; ++i) {
      const double u = inner + (1 - inner) * to_unit(rng());
      const double x = u * z.edge[layer];
      // Where it is not taken, the word after the next gives 0.
      Scripted words{{word_of(layer, u), rng(), word_of(9, 0.0)}, rng};
      taken += normal(words) != 0.0 ? 1 : 0;
      expected +=
          (std::exp(-0.5 * x * x) - z.height[layer]) / (z.height[layer + 1] - z.height[layer]);
    }
    EXPECT_NEAR(taken, expected, 2.5 * std::sqrt(static_cast<double>(places))) << "layer " << layer;
  }
}

TEST(Normal, ConsecutiveDrawsAreUncorrelatedInValueAndInSize) {
  const std::span<const double> x = sample();
  const double bound = 5 / std::sqrt(n);  // a correlation of n independent pairs has sd 1/sqrt(n)
  EXPECT_LT(std::abs(test::correlation(x.first(count - 1), x.last(count - 1))), bound);
  std::vector<double> size(x.begin(), x.end());
  for (double& value : size) value = std::abs(value);
  const std::span<const double> s = size;
  EXPECT_LT(std::abs(test::correlation(s.first(count - 1), s.last(count - 1))), bound);
  EXPECT_LT(std::abs(test::correlation(x, s)), bound);
}

}  // namespace
}  // namespace phe::kernels
