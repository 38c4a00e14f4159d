#include "kernels/weighted_sum.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe::kernels {
namespace {

using ::testing::Combine;
using ::testing::ElementsAreArray;
using ::testing::Values;

class AddWeightedSum : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

INSTANTIATE_TEST_SUITE_P(Tails, AddWeightedSum,
                         Combine(Values(1, 3, 7, 8, 9, 31, 32, 33, 100),
                                 Values(1, 2, 5, 8, 9, 20)));

TEST_P(AddWeightedSum, EveryTargetGivesTheBitsOfTheScalarTwin) {
  const auto [arms, dimension] = GetParam();
  const Arms x = test::normal_arms(arms, dimension, 21);
  Rng rng(22);
  const auto weights = test::normal_vector(x.view().padded_arms(), rng);
  const auto start = test::normal_vector(dimension, rng);
  auto expected = start;
  scalar::add_weighted_sum(x.view(), weights, expected);
  test::on_every_target([&] {
    auto sums = start;
    add_weighted_sum(x.view(), weights, sums);
    EXPECT_THAT(sums, ElementsAreArray(expected));
  });
}

TEST_P(AddWeightedSum, SixteenSetsOnEveryTargetGiveTheBitsOfTheScalarTwin) {
  const std::size_t arms = std::get<0>(GetParam());
  const std::size_t dimension = std::get<1>(GetParam());
  Rng rng(26);
  const auto weights = test::normal_vector(sets * arms, rng);
  const std::size_t stride = (dimension + 7) / 8 * 8;
  const auto x = test::normal_vector(arms * stride, rng);
  const auto start = test::normal_vector(sets * stride, rng);
  auto expected = start;
  scalar::add_weighted_sums(x.data(), arms, dimension, weights, {expected.data(), sets, stride});
  test::on_every_target([&] {
    auto sums = start;
    add_weighted_sums(x.data(), arms, dimension, weights, {sums.data(), sets, stride});
    EXPECT_THAT(sums, ElementsAreArray(expected));
  });
}

TEST_P(AddWeightedSum, EachOfTheSixteenSetsIsTheSumOfItsOwnWeights) {
  const auto [arms, dimension] = GetParam();
  const Arms x = test::normal_arms(arms, dimension, 27);
  Rng rng(28);
  const auto weights = test::normal_vector(sets * arms, rng);
  const std::size_t stride = (dimension + 7) / 8 * 8;
  std::vector<double> rows(arms * stride);
  for (ArmId k = 0; k < arms; ++k) x.copy_row(k, std::span(rows).subspan(k * stride, stride));
  std::vector<double> sums(sets * stride);
  add_weighted_sums(rows.data(), arms, dimension, weights, {sums.data(), sets, stride});
  for (std::size_t r = 0; r < sets; ++r) {
    std::vector<double> own(x.view().padded_arms());
    for (std::size_t k = 0; k < arms; ++k) own[k] = weights[k * sets + r];
    std::vector<double> expected(dimension);
    scalar::add_weighted_sum(x.view(), own, expected);
    // The order of the sums differs, so they agree to rounding.
    for (std::size_t j = 0; j < dimension; ++j)
      EXPECT_NEAR(sums[r * stride + j], expected[j], 1e-15 * static_cast<double>(20 * arms));
  }
}

TEST_P(AddWeightedSum, AddsTheWeightedRowsToWhatIsThere) {
  const auto [arms, dimension] = GetParam();
  const Arms x = test::normal_arms(arms, dimension, 23);
  Rng rng(24);
  const auto weights = test::normal_vector(x.view().padded_arms(), rng);
  std::vector<double> sums(dimension, 100.0);
  add_weighted_sum(x.view(), weights, sums);
  for (std::size_t j = 0; j < dimension; ++j) {
    long double expected = 100;
    long double size = 100;
    for (std::size_t k = 0; k < arms; ++k) {
      const long double term =
          static_cast<long double>(x.at(static_cast<ArmId>(k), j)) * weights[k];
      expected += term;
      size += std::abs(term);
    }
    // Fewer than 2 K + 8 roundings, each of at most 2^-53 of all terms together.
    const double bound = static_cast<double>(size) * static_cast<double>(2 * arms + 8) * 0x1p-53;
    EXPECT_NEAR(sums[j], static_cast<double>(expected), bound);
  }
}

}  // namespace
}  // namespace phe::kernels
