#include "models/posterior.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "phe/history.hpp"
#include "policies/twin.hpp"
#include "support/sizes.hpp"

namespace phe::test {
namespace {

Eigen::MatrixXd root_of(const GaussianPosterior& posterior, std::size_t dimension) {
  const auto d = static_cast<Eigen::Index>(dimension);
  Eigen::MatrixXd root(d, d);
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j < d; ++j)
      root(i, j) = posterior.root(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  return root;
}

void learn(GaussianPosterior& posterior, const Arms& arms, ArmId arm, double reward) {
  std::vector<double> row(padded(arms.dimension()));
  arms.copy_row(arm, row);
  posterior.learn(row, 1, reward);
}

struct Case {
  std::size_t dimension;
  double ridge;
};

class Posterior : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Posterior,
                         testing::Values(Case{1, 1.0}, Case{3, 1.0}, Case{8, 1e-3}, Case{9, 1.0},
                                         Case{20, 1.0}, Case{20, 1e-6}));

// G and b from the counts, so that the twin has no history of rounding of its own.
DenseRidge twin_of(const Arms& arms, const History& history, double ridge, double weight) {
  DenseRidge twin(arms.dimension(), ridge);
  for (ArmId arm = 0; arm < arms.size(); ++arm) {
    const auto pulls = static_cast<double>(history.pulls(arm));
    twin.gram += weight * pulls * row_of(arms, arm) * row_of(arms, arm).transpose();
    twin.target += weight * history.reward_sum(arm) * row_of(arms, arm);
  }
  return twin;
}

TEST_P(Posterior, RootAndMeanStayThoseOfTheDenseModelOverManyPulls) {
  const auto [d, ridge] = GetParam();
  const Arms arms = normal_arms(30, d, 2);
  GaussianPosterior posterior(d, ridge, 4.0);
  History history(30);
  Rng rng(5);
  for (std::uint64_t t = 1; t <= 10'000; ++t) {
    // Few arms at first, so that G keeps directions nobody has looked at.
    const auto arm = static_cast<ArmId>(rng.below(t < 4'090 ? 5 : 30));
    learn(posterior, arms, arm, fraction(arm, t));
    history.add(arm, fraction(arm, t));
    // Before, at and after the factorisation at 4096 pulls, and at the end.
    if (t != 1 && t != 100 && t != 4'095 && t != 4'096 && t != 4'097 && t != 10'000) continue;
    const DenseRidge twin = twin_of(arms, history, ridge, 4.0);
    const Eigen::MatrixXd root = root_of(posterior, d);
    // S^T G S = I, up to what the condition number of G costs anybody.
    const Eigen::MatrixXd identity = root.transpose() * twin.gram * root;
    const double error = (identity - Eigen::MatrixXd::Identity(identity.rows(), identity.cols()))
                             .cwiseAbs()
                             .maxCoeff();
    const double condition = twin.gram.norm() * twin.gram.inverse().norm();
    EXPECT_LT(error, 1e-12 + 1e-14 * condition) << t;
    const auto mean = posterior.sample(0.0, rng);
    const Eigen::VectorXd expected = twin.estimate();
    for (std::size_t j = 0; j < d; ++j)
      EXPECT_NEAR(mean[j], expected[static_cast<Eigen::Index>(j)], 1e-12 + 1e-14 * condition) << t;
  }
}

TEST(Posterior, DrawsHaveTheMeanAndTheCovarianceOfTheDenseModel) {
  const Arms arms = normal_arms(10, 3, 4);
  GaussianPosterior posterior(3, 0.5, 4.0);
  DenseRidge twin(3, 0.5);
  for (ArmId arm = 0; arm < 5; ++arm) {
    learn(posterior, arms, arm, fraction(arm, 1));
    twin.add(row_of(arms, arm), fraction(arm, 1), 4.0);
  }
  const double scale = 1.5;
  const Eigen::VectorXd mean = twin.estimate();
  const Eigen::MatrixXd covariance = scale * scale * twin.gram.inverse();
  const auto count = static_cast<double>(draws(200'000, 20'000));
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(3);
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(3, 3);
  Rng rng(6);
  for (double n = 0; n < count; ++n) {
    const auto theta = posterior.sample(scale, rng);
    const Eigen::VectorXd offset = Eigen::Map<const Eigen::VectorXd>(theta.data(), 3) - mean;
    sum += offset;
    products += offset * offset.transpose();
  }
  for (Eigen::Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(sum[i] / count, 0.0, 5 * std::sqrt(covariance(i, i) / count));
    for (Eigen::Index j = 0; j < 3; ++j) {
      // Var(XY) = Var X Var Y + Cov(X, Y)^2 for centred normals.
      const double variance =
          covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j);
      EXPECT_NEAR(products(i, j) / count, covariance(i, j), 5 * std::sqrt(variance / count));
    }
  }
}

}  // namespace
}  // namespace phe::test
