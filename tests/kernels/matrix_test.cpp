#include "kernels/matrix.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe::kernels {
namespace {

using ::testing::ElementsAreArray;
using ::testing::Values;

class Matrix : public ::testing::TestWithParam<std::size_t> {
 protected:
  // A d x d matrix and two vectors, padded with zeros.
  Matrix() : rng(31 + d) {
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i < d; ++i) a[j * stride + i] = normal(rng);
    for (std::size_t i = 0; i < d; ++i) {
      x[i] = normal(rng);
      y[i] = normal(rng);
    }
  }
  // A positive diagonal matrix, to stand for an inverse.
  [[nodiscard]] std::vector<double> inverse_of_gram() const {
    std::vector<double> inverse(d * stride);
    for (std::size_t i = 0; i < d; ++i) inverse[i * stride + i] = 1.0 + y[i] * y[i];
    return inverse;
  }
  MatrixView view(std::vector<double>& matrix) const { return {matrix.data(), d, stride}; }

  std::size_t d = GetParam();
  std::size_t stride = (d + 7) / 8 * 8;
  Rng rng;
  std::vector<double> a = std::vector<double>(d * stride);
  std::vector<double> x = std::vector<double>(stride);
  std::vector<double> y = std::vector<double>(stride);
};

INSTANTIATE_TEST_SUITE_P(Tails, Matrix, Values(1, 2, 5, 8, 9, 20));

TEST_P(Matrix, MultiplyOnEveryTargetGivesTheBitsOfTheScalarTwin) {
  std::vector<double> expected(stride, -1.0);
  scalar::multiply(view(a), x.data(), expected.data());
  test::on_every_target([&] {
    std::vector<double> product(stride, -2.0);
    multiply(view(a), x.data(), product.data());
    EXPECT_THAT(product, ElementsAreArray(expected));
  });
}

TEST_P(Matrix, MultiplyAbsoluteOnEveryTargetGivesTheBitsOfMultiplyWithAbsoluteEntries) {
  auto absolute = a;
  for (double& entry : absolute) entry = std::abs(entry);
  std::vector<double> expected(stride, -1.0);
  scalar::multiply(view(absolute), x.data(), expected.data());
  std::vector<double> twin(stride, -2.0);
  scalar::multiply_absolute(view(a), x.data(), twin.data());
  EXPECT_THAT(twin, ElementsAreArray(expected));
  test::on_every_target([&] {
    std::vector<double> product(stride, -2.0);
    multiply_absolute(view(a), x.data(), product.data());
    EXPECT_THAT(product, ElementsAreArray(expected));
  });
}

TEST_P(Matrix, MultiplyWithASumOnEveryTargetGivesTheBitsOfTheScalarTwin) {
  std::vector<double> sum(stride);
  for (std::size_t j = 0; j < d; ++j) sum[j] = x[j] + y[j];
  std::vector<double> of_the_sum(stride, -1.0);
  scalar::multiply(view(a), sum.data(), of_the_sum.data());
  std::vector<double> expected(stride, -1.0);
  scalar::multiply_sum(view(a), x.data(), y.data(), expected.data());
  EXPECT_THAT(expected, ElementsAreArray(of_the_sum));
  test::on_every_target([&] {
    std::vector<double> product(stride, -2.0);
    multiply_sum(view(a), x.data(), y.data(), product.data());
    EXPECT_THAT(product, ElementsAreArray(expected));
  });
}

TEST_P(Matrix, OuterProductsOnEveryTargetGiveTheBitsOfTheScalarTwin) {
  auto added = a;
  scalar::add_outer(view(added), x.data());
  auto subtracted = a;
  scalar::subtract_outer(view(subtracted), x.data());
  test::on_every_target([&] {
    auto matrix = a;
    add_outer(view(matrix), x.data());
    EXPECT_THAT(matrix, ElementsAreArray(added));
    matrix = a;
    subtract_outer(view(matrix), x.data());
    EXPECT_THAT(matrix, ElementsAreArray(subtracted));
  });
}

TEST_P(Matrix, SeveralOuterProductsAreAddedInTurn) {
  std::vector<double> rows;
  for (const auto& row : {x, y, x}) rows.insert(rows.end(), row.begin(), row.end());
  auto expected = a;
  for (const auto& row : {x, y, x}) scalar::add_outer(view(expected), row.data());
  // What lies above the diagonal's blocks of 8 is not touched.
  for (std::size_t j = 0; j < expected.size() / stride; ++j)
    std::copy_n(a.begin() + static_cast<std::ptrdiff_t>(j * stride), j / 8 * 8,
                expected.begin() + static_cast<std::ptrdiff_t>(j * stride));
  auto twin = a;
  scalar::add_outers(view(twin), rows.data(), 3);
  EXPECT_THAT(twin, ElementsAreArray(expected));
  test::on_every_target([&] {
    auto matrix = a;
    add_outers(view(matrix), rows.data(), 0);
    EXPECT_THAT(matrix, ElementsAreArray(a));
    add_outers(view(matrix), rows.data(), 3);
    EXPECT_THAT(matrix, ElementsAreArray(expected));
  });
}

TEST_P(Matrix, DotOnEveryTargetGivesTheBitsOfTheScalarTwin) {
  const double expected = scalar::dot(x.data(), y.data(), stride);
  test::on_every_target([&] { EXPECT_EQ(dot(x.data(), y.data(), stride), expected); });
}

TEST_P(Matrix, UpdateOfTheInverseOnEveryTargetGivesTheBitsOfTheScalarTwin) {
  const auto start = inverse_of_gram();
  auto inverse = start;
  std::vector<double> gain(stride, -1.0);
  const double denominator = scalar::update_inverse(view(inverse), x.data(), 1.75, gain.data());
  test::on_every_target([&] {
    auto same_inverse = start;
    std::vector<double> same_gain(stride, -2.0);
    EXPECT_EQ(update_inverse(view(same_inverse), x.data(), 1.75, same_gain.data()), denominator);
    EXPECT_THAT(same_inverse, ElementsAreArray(inverse));
    EXPECT_THAT(same_gain, ElementsAreArray(gain));
  });
}

TEST_P(Matrix, ScalarTwinsAgreeWithEigen) {
  const auto n = static_cast<Eigen::Index>(d);
  const Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>> matrix(
      a.data(), n, n, Eigen::OuterStride<>(static_cast<Eigen::Index>(stride)));
  const Eigen::Map<Eigen::VectorXd> left(x.data(), n);
  const Eigen::Map<Eigen::VectorXd> right(y.data(), n);
  const Eigen::MatrixXd before = matrix;
  const double rounding = 1e-14 * (1 + before.norm()) * (1 + left.norm()) * (1 + right.norm());

  std::vector<double> product(stride);
  scalar::multiply(view(a), x.data(), product.data());
  EXPECT_LE((Eigen::Map<Eigen::VectorXd>(product.data(), n) - before * left).norm(), rounding);
  EXPECT_NEAR(scalar::dot(x.data(), y.data(), stride), left.dot(right), rounding);
  scalar::add_outer(view(a), x.data());
  EXPECT_LE((matrix - (before + left * left.transpose())).norm(), rounding);
  scalar::subtract_outer(view(a), x.data());
  EXPECT_LE((matrix - before).norm(), rounding);
}

}  // namespace
}  // namespace phe::kernels
