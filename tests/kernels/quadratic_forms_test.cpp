#include "kernels/quadratic_forms.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aligned_vector.hpp"
#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe::kernels {
namespace {

using ::testing::Combine;
using ::testing::ElementsAreArray;
using ::testing::Values;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Symmetric, columns padded with zeros.
struct Symmetric {
  explicit Symmetric(std::size_t d) : dimension(d), values(d * padded(d)) {
    Rng rng(31);
    const auto entries = test::normal_vector(d * d, rng);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i <= j; ++i)
        view().column(i)[j] = view().column(j)[i] = entries[j * d + i];
  }
  [[nodiscard]] MatrixView view() { return {values.data(), dimension, padded(dimension)}; }

  std::size_t dimension;
  AlignedVector values;
};

class QuadraticForms : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  Arms x_ = test::normal_arms(std::get<0>(GetParam()), std::get<1>(GetParam()), 32);
  Symmetric a_{x_.dimension()};
};

INSTANTIATE_TEST_SUITE_P(Tails, QuadraticForms,
                         Combine(Values(1, 3, 7, 8, 9, 100),
                                 Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 20)));

TEST_P(QuadraticForms, EveryTargetGivesTheBitsOfTheScalarTwin) {
  std::vector<double> expected(x_.view().padded_arms(), nan);
  scalar::quadratic_forms(x_.view(), a_.view(), expected);
  test::on_every_target([&] {
    std::vector<double> result(expected.size(), nan);
    quadratic_forms(x_.view(), a_.view(), result);
    EXPECT_THAT(result, ElementsAreArray(expected));
  });
}

TEST_P(QuadraticForms, EachIsTheProductAndDotOfItsRowToTheBit) {
  std::vector<double> result(x_.view().padded_arms());
  quadratic_forms(x_.view(), a_.view(), result);
  AlignedVector row(padded(x_.dimension()));
  AlignedVector image(row.size());
  for (ArmId arm = 0; arm < x_.size(); ++arm) {
    x_.copy_row(arm, row);
    multiply(a_.view(), row.data(), image.data());
    EXPECT_EQ(result[arm], dot(row.data(), image.data(), row.size()));
  }
}

TEST_P(QuadraticForms, TheyAreSumsOfAllProductsAndZeroForPadding) {
  std::vector<double> result(x_.view().padded_arms(), nan);
  quadratic_forms(x_.view(), a_.view(), result);
  const std::size_t d = x_.dimension();
  for (ArmId arm = 0; arm < x_.size(); ++arm) {
    long double sum = 0;
    long double size = 0;
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) {
        const long double term =
            static_cast<long double>(x_.at(arm, i)) * a_.view().column(i)[j] * x_.at(arm, j);
        sum += term;
        size += std::abs(term);
      }
    // Each term passes at most 2 products and 2 d sums, each of which rounds by at most 2^-53.
    const auto bound = static_cast<double>(size) * static_cast<double>(2 * d + 2) * 0x1p-53;
    EXPECT_NEAR(result[arm], static_cast<double>(sum), bound);
  }
  for (std::size_t k = x_.size(); k < result.size(); ++k) EXPECT_EQ(result[k], 0.0);
}

}  // namespace
}  // namespace phe::kernels
