#include "kernels/cholesky.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe {
namespace {

class Cholesky : public ::testing::TestWithParam<std::size_t> {
 protected:
  std::size_t d_ = GetParam();
  std::size_t stride_ = (d_ + 7) / 8 * 8;

  // A A^T + I / 10, padded.
  std::vector<double> matrix() const {
    Rng rng(d_);
    const auto n = static_cast<Eigen::Index>(d_);
    Eigen::MatrixXd a(n, n);
    for (double& value : a.reshaped()) value = kernels::normal(rng);
    const Eigen::MatrixXd product = a * a.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    std::vector<double> padded(d_ * stride_);
    for (std::size_t j = 0; j < d_; ++j)
      for (std::size_t i = 0; i < d_; ++i)
        padded[j * stride_ + i] =
            product(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    return padded;
  }
  kernels::MatrixView view(std::vector<double>& a) const { return {a.data(), d_, stride_}; }
  Eigen::MatrixXd eigen(const std::vector<double>& a) const {
    return Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>(
        a.data(), static_cast<Eigen::Index>(d_), static_cast<Eigen::Index>(d_),
        Eigen::OuterStride<>(static_cast<Eigen::Index>(stride_)));
  }
};

TEST_P(Cholesky, FactorTimesItsTransposeIsTheMatrix) {
  const auto a = matrix();
  auto l = a;
  ASSERT_TRUE(kernels::cholesky(view(l)));
  const Eigen::MatrixXd product = eigen(l) * eigen(l).transpose();
  EXPECT_LT((product - eigen(a)).norm(), 1e-14 * eigen(a).norm());
  EXPECT_TRUE(eigen(l).isLowerTriangular(0.0));
}

TEST_P(Cholesky, SolvesAndInverts) {
  const auto a = matrix();
  auto l = a;
  ASSERT_TRUE(kernels::cholesky(view(l)));
  Rng rng(5);
  std::vector<double> b(stride_), x(stride_), inverse(d_ * stride_);
  for (std::size_t i = 0; i < d_; ++i) b[i] = kernels::normal(rng);
  kernels::cholesky_solve(view(l), b.data(), x.data());
  const auto n = static_cast<Eigen::Index>(d_);
  const Eigen::Map<const Eigen::VectorXd> right(b.data(), n);
  Eigen::Map<Eigen::VectorXd> solution(x.data(), n);
  EXPECT_LT((eigen(a) * solution - right).norm(), 1e-11 * right.norm());
  kernels::solve_transposed(view(l), b.data(), x.data());
  EXPECT_LT((eigen(l).transpose() * solution - right).norm(), 1e-12 * right.norm());
  kernels::cholesky_invert(view(l), view(inverse));
  EXPECT_LT((eigen(a) * eigen(inverse) - Eigen::MatrixXd::Identity(n, n)).norm(), 1e-10);
  EXPECT_EQ(eigen(inverse), eigen(inverse).transpose());
}

TEST_P(Cholesky, GivesTheSameBitsOnEveryTarget) {
  std::vector<std::vector<double>> results;
  test::on_every_target([&] {
    auto l = matrix();
    ASSERT_TRUE(kernels::cholesky(view(l)));
    std::vector<double> x(stride_, 0.0), inverse(d_ * stride_);
    x[0] = 1.0;
    kernels::cholesky_solve(view(l), x.data(), x.data());
    kernels::cholesky_invert(view(l), view(inverse));
    inverse.insert(inverse.end(), x.begin(), x.end());
    results.push_back(inverse);
  });
  for (const auto& result : results) EXPECT_EQ(result, results.front());
}

// -5e-324 / 4 is -0, which a register that starts above row 2 would make 0.
TEST(CholeskySolve, KeepsTheSignOfZeroOnEveryTarget) {
  std::vector<double> l(3 * 8);
  for (std::size_t j = 0; j < 3; ++j) l[j * 8 + j] = 4.0;
  const std::vector<double> b{-5e-324, 0, -1, 0, 0, 0, 0, 0};
  std::vector<bool> negative;
  test::on_every_target([&] {
    std::vector<double> x(8);
    kernels::cholesky_solve({l.data(), 3, 8}, b.data(), x.data());
    EXPECT_EQ(x[0], 0.0);
    negative.push_back(std::signbit(x[0]));
  });
  EXPECT_EQ(negative, std::vector<bool>(negative.size(), negative.front()));
}

TEST_P(Cholesky, RefusesASingularMatrix) {
  std::vector<double> a(d_ * stride_);
  if (d_ > 1)
    for (std::size_t j = 0; j < d_; ++j)
      for (std::size_t i = 0; i < d_; ++i) a[j * stride_ + i] = 1.0;
  EXPECT_FALSE(kernels::cholesky(view(a)));
}

TEST_P(Cholesky, OfAGramMatrixThatIsSingularToRoundingIsThatOfALittleMore) {
  // 1 + 1e20 x x^T, where the 1 is lost.
  std::vector<double> gram(d_ * stride_), l(gram.size());
  for (std::size_t j = 0; j < d_; ++j)
    for (std::size_t i = 0; i < d_; ++i)
      gram[j * stride_ + i] = 1e20 * static_cast<double>((i + 1) * (j + 1)) + (i == j ? 1.0 : 0.0);
  ASSERT_TRUE(kernels::cholesky_of_gram(view(gram), view(l)));
  const Eigen::MatrixXd product = eigen(l) * eigen(l).transpose();
  EXPECT_LT((product - eigen(gram)).norm(), 1e-11 * eigen(gram).norm());
  EXPECT_GT(eigen(l).diagonal().minCoeff(), 0.0);
}

TEST_P(Cholesky, OfAGramMatrixThatIsNotFiniteDoesNotExist) {
  auto gram = matrix();
  auto l = gram;
  gram[0] = std::numeric_limits<double>::infinity();
  if (d_ > 1) {
    EXPECT_FALSE(kernels::cholesky_of_gram(view(gram), view(l)));
  }
  gram[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(kernels::cholesky_of_gram(view(gram), view(l)));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Cholesky, ::testing::Values(1, 2, 5, 8, 9, 20));

}  // namespace
}  // namespace phe
