#include "kernels/exponential.hpp"

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

using ::testing::Values;

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) result.push_back(std::bit_cast<std::uint64_t>(value));
  return result;
}

class ExponentialKernels : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ExponentialKernels, EqualTheirScalarTwinsOnEveryTarget) {
  const std::size_t padded = (GetParam() + 7) / 8 * 8;
  Rng rng(3);
  auto scores = test::normal_vector(padded, rng);
  for (std::size_t k = 0; k < padded; k += 3) scores[k] *= 50;   // both sides of `steepest`
  for (std::size_t k = 1; k < padded; k += 7) scores[k] *= 800;  // beyond what exp can do
  std::vector<double> totals(padded), means(padded), slopes(padded), scaled(padded);
  std::vector<double> means_twin(padded), slopes_twin(padded), scaled_twin(padded);
  for (double& total : totals) total = static_cast<double>(rng.below(1000));
  kernels::scalar::exponential(scores, means_twin, slopes_twin);
  kernels::scalar::scaled_exponential(scores, totals, scaled_twin);
  test::on_every_target([&] {
    kernels::exponential(scores, means, slopes);
    kernels::scaled_exponential(scores, totals, scaled);
    EXPECT_EQ(bits(means), bits(means_twin));
    EXPECT_EQ(bits(slopes), bits(slopes_twin));
    EXPECT_EQ(bits(scaled), bits(scaled_twin));
  });
}

INSTANTIATE_TEST_SUITE_P(Tails, ExponentialKernels, Values(1, 3, 7, 8, 9, 17, 100));

TEST(Exponential, IsExpUpToItsSteepestPointAndItsTangentBeyond) {
  const auto at = [](double score) {
    std::vector<double> scores(8, score), means(8), slopes(8);
    kernels::exponential(scores, means, slopes);
    return std::pair{means[0], slopes[0]};
  };
  for (const double score : {-700.0, -30.0, -1.0, 0.0, 0.5, 10.0, 63.9, 64.0}) {
    const auto exact = static_cast<double>(std::exp(static_cast<long double>(score)));
    EXPECT_NEAR(at(score).first, exact, 1e-15 * exact) << score;
    EXPECT_EQ(at(score).second, at(score).first) << score;
  }
  const double top = at(64.0).second;
  for (const double score : {64.5, 100.0, 1e6, 1e200}) {
    EXPECT_EQ(at(score).second, top) << score;
    EXPECT_NEAR(at(score).first, top * (1 + (score - 64.0)), 1e-15 * at(score).first) << score;
  }
  EXPECT_EQ(at(-std::numeric_limits<double>::infinity()), (std::pair{0.0, 0.0}));
  EXPECT_EQ(at(std::numeric_limits<double>::infinity()).second, top);
}

}  // namespace
}  // namespace phe
