#include "kernels/logistic.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe {
namespace {

using ::testing::Combine;
using ::testing::Values;

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) result.push_back(std::bit_cast<std::uint64_t>(value));
  return result;
}

// Scores that cover both tails, the middle and the edges of exp.
std::vector<double> wide_scores(std::size_t size, Rng& rng) {
  std::vector<double> scores = test::normal_vector(size, rng);
  for (std::size_t k = 0; k < size; k += 3) scores[k] *= 30;
  for (std::size_t k = 1; k < size; k += 7) scores[k] *= 500;
  return scores;
}

class LogisticKernels : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  std::size_t arms_ = std::get<0>(GetParam());
  std::size_t dimension_ = std::get<1>(GetParam());
  std::size_t padded_ = (arms_ + 7) / 8 * 8;
  Rng rng_{3};
};

TEST_P(LogisticKernels, MeansAndSlopesEqualTheirScalarTwinsOnEveryTarget) {
  const auto scores = wide_scores(padded_, rng_);
  std::vector<double> means(padded_), slopes(padded_), means_twin(padded_), slopes_twin(padded_);
  kernels::scalar::logistic(scores, means_twin, slopes_twin);
  test::on_every_target([&] {
    kernels::logistic(scores, means, slopes);
    EXPECT_EQ(bits(means), bits(means_twin));
    EXPECT_EQ(bits(slopes), bits(slopes_twin));
  });
}

TEST_P(LogisticKernels, ScaledSigmoidEqualsItsScalarTwinOnEveryTarget) {
  const auto scores = wide_scores(padded_, rng_);
  std::vector<double> totals(padded_), result(padded_), twin(padded_);
  for (double& total : totals) total = static_cast<double>(rng_.below(1000));
  kernels::scalar::scaled_sigmoid(scores, totals, twin);
  test::on_every_target([&] {
    kernels::scaled_sigmoid(scores, totals, result);
    EXPECT_EQ(bits(result), bits(twin));
  });
}

TEST_P(LogisticKernels, WeightedOuterEqualsItsScalarTwinOnEveryTarget) {
  const Arms arms = test::normal_arms(arms_, dimension_, 4);
  const std::size_t stride = (dimension_ + 7) / 8 * 8;
  auto weights = test::normal_vector(padded_, rng_);
  std::vector<double> scratch(padded_), h(dimension_ * stride), twin(dimension_ * stride);
  kernels::scalar::add_weighted_outer(arms.view(), weights, {twin.data(), dimension_, stride});
  test::on_every_target([&] {
    std::ranges::fill(h, 0.0);
    kernels::add_weighted_outer(arms.view(), weights, scratch, {h.data(), dimension_, stride});
    EXPECT_EQ(bits(h), bits(twin));
    for (std::size_t i = 0; i < dimension_; ++i)
      for (std::size_t j = 0; j < dimension_; ++j) EXPECT_EQ(h[j * stride + i], h[i * stride + j]);
  });
}

TEST_P(LogisticKernels, BoundsEqualTheirScalarTwinsOnEveryTarget) {
  const auto a = test::normal_vector(padded_, rng_);
  const auto b = test::normal_vector(padded_, rng_);
  std::vector<double> weights(padded_);
  for (double& weight : weights) weight = static_cast<double>(rng_.below(100));
  test::on_every_target([&] {
    EXPECT_EQ(kernels::largest_difference(a, b), kernels::scalar::largest_difference(a, b));
    const auto quartic = kernels::weighted_quartic(a, b, weights);
    const auto twin = kernels::scalar::weighted_quartic(a, b, weights);
    EXPECT_EQ(quartic.sum, twin.sum);
    EXPECT_EQ(quartic.largest, twin.largest);
    for (const double bar : {-1.0, 0.0, 1.0, 50.0})
      EXPECT_EQ(kernels::count_reaching(a, weights, 0.1, bar),
                kernels::scalar::count_reaching(a, weights, 0.1, bar));
  });
}

INSTANTIATE_TEST_SUITE_P(Tails, LogisticKernels,
                         Combine(Values(1, 3, 7, 8, 9, 17, 100), Values(1, 2, 5, 20)));

TEST(Logistic, BothTailsKeepTheirRelativePrecision) {
  for (const double score : {0.0, 1e-300, 0.1, 1.0, 20.0, 36.0, 40.0, 300.0, 700.0, 707.9}) {
    // 1 - sigma(s) = sigma(-s), without cancellation.
    const auto tail =
        static_cast<double>(1.0L / (1.0L + std::exp(static_cast<long double>(score))));
    EXPECT_NEAR(kernels::scalar::sigmoid(-score), tail, 1e-15 * tail) << score;
    EXPECT_NEAR(kernels::scalar::sigmoid(score), 1.0 - tail, 1e-15) << score;
    std::vector<double> scores(8, score), means(8), slopes(8);
    kernels::logistic(scores, means, slopes);
    EXPECT_NEAR(slopes[0], tail * (1.0 - tail), 1e-15 * tail) << score;
  }
}

TEST(Logistic, IsFiniteAtInfinity) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> scores{infinity, -infinity, 1e300, -1e300, 709, -709, 0, -0.0};
  std::vector<double> means(8), slopes(8);
  kernels::logistic(scores, means, slopes);
  EXPECT_THAT(means, ::testing::ElementsAre(1, 0, 1, 0, 1, 0, 0.5, 0.5));
  EXPECT_THAT(slopes, ::testing::ElementsAre(0, 0, 0, 0, 0, 0, 0.25, 0.25));
}

}  // namespace
}  // namespace phe
