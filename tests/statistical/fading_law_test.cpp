// LinPHE with fade = p: the law of theta-tilde, and how many pseudo-rewards each row has, against a
// literal version that inverts the Gram matrix anew for every observation.
//
//   theta = G^-1 sum_i x_i (V_i + U_i),   G = sum x x^T + ridge I,
//   U_i = m_i / 16 + sqrt(1/8) (B(m_i, 1/2) - m_i / 2),   m_i = ceil(8 W_i),   W_i = sum a h^p.
#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "phe/lin_phe.hpp"
#include "support/algorithm1.hpp"
#include "support/contexts.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::test {
namespace {

constexpr std::size_t d = 3;
constexpr double ridge = 2.0;

Eigen::VectorXd fitted(LinPhe& policy, Rng& rng) {
  policy.fit(rng);
  return Eigen::Map<const Eigen::VectorXd>(policy.estimate().data(), d);
}

// The literal version: by arm, W_i and the sums of rewards.
class Fading {
 public:
  Fading(const Arms& arms, double a, double p) : arms_(arms), a_(a), p_(p), news_(arms.size()) {}

  void add(ArmId arm, double reward) {
    const Eigen::VectorXd x = row(arm);
    gram_ += x * x.transpose();
    news_[arm] += a_ * std::pow(x.dot(gram_.inverse() * x), p_);
    paid_ += reward * x;
  }
  [[nodiscard]] double flips(ArmId arm) const { return std::ceil(8 * news_[arm]); }
  [[nodiscard]] Eigen::VectorXd mean(bool centred) const {
    Eigen::VectorXd target = paid_;
    for (ArmId arm = 0; arm < news_.size() && !centred; ++arm) target += flips(arm) / 16 * row(arm);
    return gram_.inverse() * target;
  }
  [[nodiscard]] Eigen::MatrixXd covariance(double prior_variance) const {
    Eigen::MatrixXd noise = prior_variance * Eigen::MatrixXd::Identity(d, d);
    for (ArmId arm = 0; arm < news_.size(); ++arm)
      noise += flips(arm) / 32 * row(arm) * row(arm).transpose();
    return gram_.inverse() * noise * gram_.inverse();
  }

 private:
  [[nodiscard]] Eigen::VectorXd row(ArmId arm) const {
    Eigen::VectorXd x(d);
    for (std::size_t j = 0; j < d; ++j) x[static_cast<Eigen::Index>(j)] = arms_.at(arm, j);
    return x;
  }

  Arms arms_;
  double a_, p_;
  std::vector<double> news_;
  Eigen::MatrixXd gram_ = ridge * Eigen::MatrixXd::Identity(d, d);
  Eigen::VectorXd paid_ = Eigen::VectorXd::Zero(d);
};

class FadingLaw : public testing::TestWithParam<std::tuple<double, double, bool>> {
 protected:
  double a = std::get<0>(GetParam());
  double fade = std::get<1>(GetParam());
  bool centred = std::get<2>(GetParam());
  LinPheOptions options{.perturbation_scale = a, .ridge = ridge, .fade = fade, .centred = centred};
  Arms arms = normal_arms(6, d, 122);
  Fading literal{arms, a, fade};

  // The same pulls, an arm now and again, for the literal version and whoever learns.
  template <class Learn>
  void teach(int pulls, Learn learn) {
    Rng rng(17);
    for (int pull = 0; pull < pulls; ++pull) {
      const auto arm = static_cast<ArmId>(pull * pull % 5);
      const double reward = to_unit(rng());
      literal.add(arm, reward);
      learn(arm, reward);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Scales, FadingLaw,
                         testing::Combine(testing::Values(0.3, 1.4, 20.0),
                                          testing::Values(0.5, 0.7, 1.0), testing::Bool()));

TEST_P(FadingLaw, MeanAndCovarianceOfFixedArmsAreThoseOfTheLiteralVersion) {
  auto policy = LinPhe::create(arms, options).value();
  teach(90, [&](ArmId arm, double reward) { ASSERT_TRUE(policy.update(arm, reward)); });
  Rng rng(5);
  const ThetaSample sample(draws(100'000), d, [&] { return fitted(policy, rng); });
  EXPECT_LT(sample.deviation(literal.mean(centred), literal.covariance(0)), 5);
}

TEST_P(FadingLaw, ContextsHaveTheSameLawAndThePriorsNoise) {
  auto policy = LinPhe::create(d, options).value();
  teach(90, [&](ArmId arm, double reward) {
    std::vector<double> x(d);
    arms.copy_row(arm, x);
    ASSERT_TRUE(policy.update(x, reward));
  });
  Rng rng(6);
  const ThetaSample sample(draws(100'000), d, [&] { return fitted(policy, rng); });
  EXPECT_LT(sample.deviation(literal.mean(centred), literal.covariance(a * ridge / 4)), 5);
}

TEST_P(FadingLaw, StaysTheSameWhileRoundsAreDrawnAhead) {
  // Half of the pulls are made while rounds with the others are drawn already.
  auto policy = LinPhe::create(arms, options).value();
  Rng rng(7);
  teach(30, [&](ArmId arm, double reward) {
    ASSERT_TRUE(policy.update(arm, reward));
    policy.fit(rng);
  });
  const ThetaSample sample(draws(20'000), d, [&] {
    LinPhe next = policy;  // its own rounds ahead
    return fitted(next, rng);
  });
  EXPECT_LT(sample.deviation(literal.mean(centred), literal.covariance(0)), 5);
}

TEST_P(FadingLaw, TheTestWouldNoticeOtherFormulas) {
  if (sanitized) GTEST_SKIP() << "too few draws to notice much";
  auto policy = LinPhe::create(arms, options).value();
  teach(90, [&](ArmId arm, double reward) { ASSERT_TRUE(policy.update(arm, reward)); });
  Rng rng(5);
  const ThetaSample sample(draws(100'000), d, [&] { return fitted(policy, rng); });
  // 3 % of the variance: 6.7 standard errors of 100,000 draws.
  EXPECT_GT(sample.deviation(literal.mean(centred), 1.03 * literal.covariance(0)), 5);
}

// A warm start brings all pulls of an arm at once, arm by arm.
TEST(FadingWarmStart, IsThatOfPullsOneByOne) {
  const Arms arms = normal_arms(4, d, 122);
  const LinPheOptions options{.perturbation_scale = 5.0, .ridge = ridge, .fade = 0.7};
  History history(4);
  Fading literal(arms, 5.0, 0.7);
  for (ArmId arm = 0; arm < 4; ++arm)
    for (std::uint64_t pull = 0; pull < 40 + 2'000 * arm; ++pull) {
      history.add(arm, 0.5);
      literal.add(arm, 0.5);
    }
  auto policy = LinPhe::create(arms, options, history).value();
  Rng rng(8);
  const ThetaSample sample(draws(100'000), d, [&] { return fitted(policy, rng); });
  EXPECT_LT(sample.deviation(literal.mean(false), literal.covariance(0)), 5);
}

TEST(FadingWarmStart, OfAMillionMillionPullsTakesNoTime) {
  const Arms arms = normal_arms(3, d, 122);
  History history(3);
  for (ArmId arm = 0; arm < 3; ++arm) history.add(arm, 3e11, std::uint64_t{1} << 39);
  EXPECT_TRUE(LinPhe::create(arms, {.fade = 1.0}, history));
}

TEST(FadingOptions, AreRefusedWhereTheyMeanNothing) {
  const Arms arms = normal_arms(3, d, 122);
  EXPECT_FALSE(LinPhe::create(arms, {.fade = -0.1}));
  EXPECT_FALSE(LinPhe::create(arms, {.fade = 1.1}));
  EXPECT_FALSE(LinPhe::create(arms, {.gram = Gram::authors, .fade = 0.5}));
}

// What two have learnt of the same rows: each row's pseudo-rewards add up, rounded up once.
TEST(FadingMerge, AddsThePseudoRewardsOfEqualRows) {
  const Arms arms = normal_arms(4, d, 122);
  const LinPheOptions options{.perturbation_scale = 0.3, .ridge = ridge, .fade = 1.0};
  auto first = LinPhe::create(d, options).value();
  auto second = LinPhe::create(d, options).value();
  std::vector<double> x(d);
  Eigen::MatrixXd gram = ridge * Eigen::MatrixXd::Identity(d, d);
  Eigen::MatrixXd grams[2] = {gram, gram};
  std::vector<double> news(4);
  Eigen::VectorXd paid = Eigen::VectorXd::Zero(d);
  for (int pull = 0; pull < 40; ++pull) {
    const auto arm = static_cast<ArmId>(pull % 4);
    arms.copy_row(arm, x);
    const Eigen::Map<const Eigen::VectorXd> row(x.data(), d);
    Eigen::MatrixXd& own = grams[pull % 3 == 0];
    own += row * row.transpose();
    gram += row * row.transpose();
    news[arm] += 0.3 * row.dot(own.inverse() * row);
    paid += 0.25 * row;
    ASSERT_TRUE((pull % 3 == 0 ? first : second).update(x, 0.25));
  }
  ASSERT_TRUE(first.merge(second));
  Eigen::MatrixXd noise = 0.3 * ridge / 4 * Eigen::MatrixXd::Identity(d, d);
  for (ArmId arm = 0; arm < 4; ++arm) {
    arms.copy_row(arm, x);
    const Eigen::Map<const Eigen::VectorXd> row(x.data(), d);
    paid += std::ceil(8 * news[arm]) / 16 * row;
    noise += std::ceil(8 * news[arm]) / 32 * row * row.transpose();
  }
  Rng rng(9);
  const ThetaSample sample(draws(100'000), d, [&] { return fitted(first, rng); });
  EXPECT_LT(sample.deviation(gram.inverse() * paid, gram.inverse() * noise * gram.inverse()), 5);
}

}  // namespace
}  // namespace phe::test
