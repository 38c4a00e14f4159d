#include "models/fourier_features.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/arms.hpp"

namespace phe::test {
namespace {

double product(const FourierFeatures& map, std::span<const double> x, std::span<const double> y) {
  std::vector<double> one(map.outputs()), other(map.outputs());
  map.map(x, one);
  map.map(y, other);
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += one[i] * other[i];
  return sum;
}

// A product is a mean of D terms 2 cos cos, each within [-2, 2] and of deviation below 1.
TEST(FourierFeatures, HaveTheProductsOfTheGaussianKernel) {
  constexpr std::size_t features = 20'000;
  const std::vector<std::vector<double>> points = {
      {0, 0, 0}, {0.5, -0.25, 1}, {1, 1, 1}, {-2, 0.5, 0}};
  for (const double scale : {0.7, 1.0, 3.0}) {
    const FourierFeatures map(3, {.features = features, .scale = scale});
    for (const auto& x : points)
      for (const auto& y : points) {
        double distance = 0;
        for (std::size_t j = 0; j < 3; ++j) distance += (x[j] - y[j]) * (x[j] - y[j]);
        EXPECT_NEAR(product(map, x, y), std::exp(-distance / (2 * scale * scale)),
                    5 / std::sqrt(features));
      }
  }
}

TEST(FourierFeatures, AreWhatTheFormulaSaysOfTheirFirstOnes) {
  // With more features the first ones are the same, but for their height.
  const FourierFeatures few(4, {.features = 5}), many(4, {.features = 37});
  const std::vector<double> x = {0.1, -2, 3, 0.25};
  std::vector<double> one(5), other(37);
  few.map(x, one);
  many.map(x, other);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(one[i] * std::sqrt(5.0), other[i] * std::sqrt(37.0), 1e-14);
}

TEST(FourierFeatures, WithLinearBeginWithTheFeaturesThemselves) {
  const FourierFeatures map(2, {.features = 3, .linear = true});
  const FourierFeatures plain(2, {.features = 3});
  std::vector<double> with(5), without(3);
  const std::vector<double> x = {7, -8};
  map.map(x, with);
  plain.map(x, without);
  EXPECT_EQ(map.outputs(), 5U);
  EXPECT_EQ(with, (std::vector<double>{7, -8, without[0], without[1], without[2]}));
}

TEST(FourierFeatures, BesideLinearOnesAreMultipliedByTheirWeight) {
  const FourierFeatures map(2, {.features = 3, .linear = true, .weight = 0.25});
  const FourierFeatures plain(2, {.features = 3});
  std::vector<double> with(5), without(3);
  const std::vector<double> x = {7, -8};
  map.map(x, with);
  plain.map(x, without);
  EXPECT_EQ(with, (std::vector<double>{7, -8, without[0] / 4, without[1] / 4, without[2] / 4}));
}

// Twelve directions at right angles have |w|^2 in sum, whichever they are; so of the products of
// near points, 1 - |x - y|^2 |w|^2 / 2 to the first order, less is left to chance.
TEST(FourierFeatures, ThatAreOrthogonalHaveTheSameKernelWithLessError) {
  constexpr std::size_t d = 12;
  std::vector<double> x(d, 0.0), y(d, 0.3);
  const double kernel = std::exp(-0.5 * 0.09 * d);
  const auto squared_error = [&](bool orthogonal) {
    double sum = 0;
    for (std::uint64_t draw = 1; draw <= 200; ++draw) {
      const FourierFeatures map(d, {.features = 960, .orthogonal = orthogonal, .draw = draw});
      const double error = product(map, x, y) - kernel;
      sum += error * error;
    }
    return sum / 200;
  };
  const double plain = squared_error(false), orthogonal = squared_error(true);
  // Terms of deviation below 1, as above; a mean of 200 squares is within 1/2 of itself.
  EXPECT_LT(plain, 1.5 / 960);
  EXPECT_LT(orthogonal, plain);
}

TEST(FourierFeatures, AreOrthogonalInGroupsOfAsManyAsThereAreInputs) {
  // cos(b + w x) for small x: w^T u of a direction is its slope. Two features of two inputs: their
  // slopes in u and in v are orthogonal vectors.
  const FourierFeatures map(2, {.features = 4, .orthogonal = true, .draw = 3});
  const FourierFeatures plain(2, {.features = 4, .draw = 3});
  const auto direction = [](const FourierFeatures& of, std::size_t i) {
    constexpr double step = 1e-5;
    std::vector<double> at(4), right(4), up(4);
    of.map(std::vector<double>{0, 0}, at);
    of.map(std::vector<double>{step, 0}, right);
    of.map(std::vector<double>{0, step}, up);
    const double slope = -std::sqrt(0.5 - at[i] * at[i]);  // of sqrt(1/2) cos
    return std::pair((right[i] - at[i]) / step / slope, (up[i] - at[i]) / step / slope);
  };
  for (const std::size_t i : {0U, 2U}) {
    const auto one = direction(map, i), other = direction(map, i + 1);
    EXPECT_NEAR(one.first * other.first + one.second * other.second, 0.0, 1e-3);
  }
  for (std::size_t i = 0; i < 4; ++i) {  // lengths stay
    const auto one = direction(map, i), was = direction(plain, i);
    EXPECT_NEAR(std::hypot(one.first, one.second), std::hypot(was.first, was.second), 1e-3);
  }
}

TEST(FourierFeatures, OfArmsAreThoseOfTheirRows) {
  const Arms arms = normal_arms(5, 3, 1);
  const FourierFeatures map(3, {.features = 9, .draw = 4});
  const Arms mapped = map.map(arms).value();
  ASSERT_EQ(mapped.dimension(), 9U);
  std::vector<double> x(3), phi(9);
  for (ArmId arm = 0; arm < 5; ++arm) {
    arms.copy_row(arm, x);
    map.map(x, phi);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(mapped.at(arm, i), phi[i]);
  }
  EXPECT_EQ(map.map(Arms::none(3)).value().dimension(), 9U);
}

// The bytes of every machine.
TEST(FourierFeatures, AreTheSameToTheBitEverywhere) {
  const FourierFeatures map(2, {.features = 3, .scale = 0.5, .draw = 1});
  std::vector<double> phi(3);
  map.map(std::vector<double>{0.3, -1.7}, phi);
  EXPECT_EQ(phi[0], -0x1.4d649c61a9cbep-2);
  EXPECT_EQ(phi[1], -0x1.18e55b4a279a2p-1);
  EXPECT_EQ(phi[2], -0x1.6424b2a085cdap-1);
}

}  // namespace
}  // namespace phe::test
