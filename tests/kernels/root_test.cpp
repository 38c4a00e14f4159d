#include "kernels/root.hpp"

#include <gtest/gtest.h>

#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe::kernels {
namespace {

class Root : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Tails, Root, testing::Values(1, 2, 5, 8, 9, 20));

using Columns = Eigen::Map<const Eigen::MatrixXd>;

TEST_P(Root, EveryTargetGivesTheBitsOfTheScalarTwinAndTheNumbersOfEigen) {
  const std::size_t d = GetParam();
  const std::size_t stride = (d + 7) / 8 * 8;
  Rng rng(d);
  auto matrix = test::normal_vector(d * stride, rng);
  auto u = test::normal_vector(stride, rng);
  for (std::size_t i = d; i < stride; ++i) {
    u[i] = 0.0;
    for (std::size_t j = 0; j < d; ++j) matrix[j * stride + i] = 0.0;
  }
  const auto v = test::normal_vector(d, rng);

  std::vector<double> twin_product(stride);
  std::vector<double> twin_image(stride);
  std::vector<double> gain(stride);
  auto twin_sum = matrix;
  auto twin_root = matrix;
  scalar::multiply_transposed({matrix.data(), d, stride}, u.data(), twin_product.data());
  scalar::add_outer({twin_sum.data(), d, stride}, u.data(), v.data());
  const double twin_gamma =
      scalar::shrink_root({twin_root.data(), d, stride}, u.data(), twin_image.data(), gain.data());
  test::on_every_target([&] {
    auto sum = matrix;
    auto root = matrix;
    std::vector<double> product(stride);
    std::vector<double> image(stride);
    multiply_transposed({matrix.data(), d, stride}, u.data(), product.data());
    add_outer({sum.data(), d, stride}, u.data(), v.data());
    const double gamma = shrink_root({root.data(), d, stride}, u.data(), image.data(), gain.data());
    EXPECT_EQ(product, twin_product);
    EXPECT_EQ(sum, twin_sum);
    EXPECT_EQ(root, twin_root);
    EXPECT_EQ(image, twin_image);
    EXPECT_EQ(gamma, twin_gamma);
  });

  const auto rows = static_cast<Eigen::Index>(stride);
  const auto columns = static_cast<Eigen::Index>(d);
  const Eigen::MatrixXd a = Columns(matrix.data(), rows, columns);
  const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(u.data(), rows);
  const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(v.data(), columns);
  const Eigen::VectorXd s = a.transpose() * x;
  EXPECT_TRUE(s.isApprox(Eigen::Map<const Eigen::VectorXd>(twin_product.data(), columns), 1e-12));
  EXPECT_TRUE((a + x * y.transpose()).isApprox(Columns(twin_sum.data(), rows, columns), 1e-12));
  // A root shrunk by r: S' S'^T = S S^T - S s s^T S^T / (1 + s^T s), Sherman-Morrison.
  const Eigen::MatrixXd after = Columns(twin_root.data(), rows, columns);
  const Eigen::MatrixXd expected =
      a * a.transpose() - (a * s) * (a * s).transpose() / (1 + s.squaredNorm());
  EXPECT_TRUE((after * after.transpose()).isApprox(expected, 1e-11));
}

}  // namespace
}  // namespace phe::kernels
