// LinPHE in contexts: the law of theta-tilde, exactly.
//
//   theta = G^-1 sum_l x_l (y_l + U_l),   G = (a + 1) (sum x x^T + ridge I),
//   U_l = a/2 + sqrt(a / m) (B(m, 1/2) - m/2),   m = ceil(a),   prior noise N(0, (a ridge / 4) I).
#include <cmath>

#include <gtest/gtest.h>

#include "phe/lin_phe.hpp"
#include "support/algorithm1.hpp"
#include "support/context_law.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::test {
namespace {

using ::testing::Bool;
using ::testing::Combine;
using ::testing::Values;

constexpr std::size_t d = 3;
constexpr double ridge = 2.0;

Eigen::VectorXd fitted(LinPhe& policy, Rng& rng) {
  policy.fit(rng);
  return Eigen::Map<const Eigen::VectorXd>(policy.estimate().data(),
                                           static_cast<Eigen::Index>(policy.estimate().size()));
}

double prior_variance(Start start, double a) { return start == Start::prior ? a * ridge / 4 : 0.0; }

class ContextThetaLaw : public testing::TestWithParam<std::tuple<double, bool, bool, Start>> {
 protected:
  double a = std::get<0>(GetParam());
  bool centred = std::get<1>(GetParam());
  Start start = std::get<3>(GetParam());
  LinPheOptions options{
      .perturbation_scale = a, .ridge = ridge, .centred = centred, .start = start};
  ContextHistory history = known_history(d, 130, std::get<2>(GetParam()));
};

// 9.5 is above what is drawn bit by bit.
INSTANTIATE_TEST_SUITE_P(Cases, ContextThetaLaw,
                         Combine(Values(0.5, 1.0, 1.5, 2.0, 9.5), Bool(), Bool(),
                                 Values(Start::prior, Start::none)));

TEST_P(ContextThetaLaw, MeanAndCovarianceAreThoseOfTheFormulas) {
  auto policy = LinPhe::create(d, options).value();
  history.teach(policy);
  Rng rng(32);
  const ThetaSample sample(draws(100'000), d, [&] { return fitted(policy, rng); });
  const auto law =
      solved(history.gram(a, ridge), history.target(a, centred, prior_variance(start, a)));
  EXPECT_LT(sample.deviation(law.mean, law.covariance), 5);
}

TEST_P(ContextThetaLaw, MeanAndCovarianceStayWhenOldRowsAreFolded) {
  options.memory = 20;
  auto policy = LinPhe::create(d, options).value();
  Rng rng(33);
  for (const auto& x : history.rows()) {  // draws between, so that flips drawn ahead are there
    if (rng.below(2) == 0) fitted(policy, rng);
    EXPECT_TRUE(policy.update(span_of(x), 0.0).ok());
  }
  ContextHistory unpaid(d);
  for (const auto& x : history.rows()) unpaid.add(x, 0.0);
  const ThetaSample sample(draws(100'000), d, [&] { return fitted(policy, rng); });
  const auto law =
      solved(unpaid.gram(a, ridge), unpaid.target(a, centred, prior_variance(start, a)));
  EXPECT_LT(sample.deviation(law.mean, law.covariance), 5);
}

TEST_P(ContextThetaLaw, TheTestWouldNoticeOtherFormulas) {
  if (sanitized) GTEST_SKIP() << "too few draws to notice much";
  auto policy = LinPhe::create(d, options).value();
  history.teach(policy);
  Rng rng(34);
  const ThetaSample sample(draws(100'000), d, [&] { return fitted(policy, rng); });
  const double prior = prior_variance(start, a);
  const auto expect_far = [&](const TargetLaw& target) {
    const auto law = solved(history.gram(a, ridge), target);
    EXPECT_GT(sample.deviation(law.mean, law.covariance), 8);
  };
  expect_far(history.target(a, !centred, prior));
  expect_far(history.target(a, centred, a * ridge));  // the prior's noise without its half
  TargetLaw unscaled = history.target(a, centred, prior);
  if (a == std::ceil(a)) return;
  unscaled.covariance *= std::ceil(a) / a;  // m flips, as they are
  expect_far(unscaled);
  unscaled.covariance *= a * a * a / std::pow(std::ceil(a), 3);  // each of weight a / m
  expect_far(unscaled);
}

class SingleFlips : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Scales, SingleFlips, Values(0.3, 0.5, 1.0, 1.5, 2.0, 7.0, 8.5));

// Rows e_1, .., e_4, seen 1, 1, 2 and 5 times: theta_j (a + 1) (T_j + ridge) is V_j + U_j itself.
TEST_P(SingleFlips, EachSumOfPseudoRewardsIsItsScaledNumberOfHeads) {
  const double a = GetParam();
  const double m = std::ceil(a);
  const std::vector<double> times = {1, 1, 2, 5};
  auto policy =
      LinPhe::create(4, {.perturbation_scale = a, .ridge = ridge, .start = Start::none}).value();
  std::vector<HalfBinomialBins> bins;
  const std::size_t count = draws(40'000, 4'000);
  for (std::size_t j = 0; j < 4; ++j) {
    std::vector<double> unit(4);
    unit[j] = 1.0;
    for (double i = 0; i < times[j]; ++i) EXPECT_TRUE(policy.update(unit, 0.5).ok());
    bins.emplace_back(static_cast<std::uint64_t>(m * times[j]), count);
  }
  Rng rng(35);
  for (std::size_t i = 0; i < count; ++i) {
    policy.fit(rng);
    for (std::size_t j = 0; j < 4; ++j) {
      const double sum =
          policy.estimate()[j] * (a + 1) * (times[j] + ridge) - 0.5 * times[j];  // of U
      const double heads = (sum - a / 2 * times[j]) / std::sqrt(a / m) + m / 2 * times[j];
      ASSERT_NEAR(heads, std::round(heads), 1e-9);
      ASSERT_GE(heads, -0.5);
      ASSERT_LE(heads, m * times[j] + 0.5);
      bins[j].add(std::round(heads));
    }
  }
  for (const auto& bin : bins) EXPECT_GT(bin.p_value(), 1e-4);
}

TEST(FoldedRows, AreANormalVectorWithExactlyTheirMeanAndCovariance) {
  for (const double a : {0.5, 1.0, 1.5, 2.0}) {
    // No row is kept: they are folded 16 at a time, and 160 are all folded.
    auto policy = LinPhe::create(d, {.perturbation_scale = a, .ridge = ridge, .memory = 0}).value();
    const ContextHistory history = known_history(d, 160, false);
    history.teach(policy);
    const TargetLaw target = history.target(a, false, a * ridge / 4);
    const Eigen::MatrixXd root = target.covariance.llt().matrixL();
    Rng rng(36);
    policy.fit(rng);
    for (Rng twin_rng = rng; int i : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
      const Eigen::VectorXd noise = root * normal_row(d, twin_rng);
      const Eigen::VectorXd theta = history.gram(a, ridge).ldlt().solve(target.mean + noise);
      EXPECT_LT((fitted(policy, rng) - theta).norm(), 1e-12 * theta.norm()) << a << ", " << i;
    }
  }
}

TEST(FixedArmsAsContexts, HaveTheLawOfFixedArmsForWholeA) {
  const Arms arms = normal_arms(6, d, 37);
  const std::vector<std::uint64_t> pulls = {0, 1, 3, 10, 70, 300};
  for (const std::uint64_t a : {1, 2, 3}) {
    const LinPheOptions options{
        .perturbation_scale = static_cast<double>(a), .ridge = ridge, .start = Start::none};
    Algorithm1 reference(arms, {a, 1}, options);
    auto fixed = LinPhe::create(arms, options).value();
    auto contexts = LinPhe::create(d, options).value();
    for (ArmId arm = 0; arm < 6; ++arm)
      for (std::uint64_t i = 0; i < pulls[arm]; ++i) {
        const double reward = i % 3 == 0 ? 1.0 : 0.0;
        reference.update(arm, reward);
        EXPECT_TRUE(fixed.update(arm, reward).ok());
        EXPECT_TRUE(contexts.update(span_of(row_of(arms, arm)), reward).ok());
      }
    Rng rng(38);
    Eigen::VectorXd direction = normal_row(d, rng);
    std::vector<double> projections[2];
    for (LinPhe* policy : {&fixed, &contexts}) {
      const ThetaSample sample(draws(100'000), d, [&] {
        const Eigen::VectorXd theta = fitted(*policy, rng);
        projections[policy == &fixed ? 0 : 1].push_back(direction.dot(theta));
        return theta;
      });
      EXPECT_LT(sample.deviation(reference.mean(), reference.covariance()), 5);
    }
    EXPECT_GT(two_sample_p_value(projections[0], projections[1]), 1e-3);
  }
}

TEST(FixedArmsAsContexts, DifferByTheCeilingAloneForFractionalA) {
  const Arms arms = normal_arms(6, d, 39);
  const std::vector<std::uint64_t> pulls = {0, 1, 3, 10, 31, 200};
  for (const Fraction a : {Fraction{1, 2}, Fraction{3, 2}}) {
    const LinPheOptions options{
        .perturbation_scale = a.value(), .ridge = ridge, .start = Start::none};
    Algorithm1 reference(arms, a, options);
    auto contexts = LinPhe::create(d, options).value();
    TargetLaw ceiling{Eigen::VectorXd::Zero(d), Eigen::MatrixXd::Zero(d, d)};
    for (ArmId arm = 0; arm < 6; ++arm) {
      const Eigen::VectorXd x = row_of(arms, arm);
      const auto times = static_cast<double>(pulls[arm]);
      const double more = static_cast<double>(a.ceiling_of(pulls[arm])) - a.value() * times;
      EXPECT_LT(more, 1);
      ceiling.mean += more / 2 * x;
      ceiling.covariance += more / 4 * x * x.transpose();
      for (std::uint64_t i = 0; i < pulls[arm]; ++i) {
        reference.update(arm, 1.0);
        EXPECT_TRUE(contexts.update(span_of(x), 1.0).ok());
      }
    }
    Rng rng(40);
    const ThetaSample sample(draws(100'000), d, [&] { return fitted(contexts, rng); });
    const auto extra = solved(reference.gram(), ceiling);
    EXPECT_LT(
        sample.deviation(reference.mean() - extra.mean, reference.covariance() - extra.covariance),
        5);
  }
}

class LinearScheduleInContexts : public testing::TestWithParam<double> {
 protected:
  // After 60 observations, in a game of `rounds` rounds.
  LinPhe taught(std::uint64_t rounds) const {
    auto policy = LinPhe::create(d, {.perturbation_scale = a,
                                     .ridge = ridge,
                                     .schedule = ScaleSchedule::linear,
                                     .rounds = rounds})
                      .value();
    history.teach(policy);
    return policy;
  }

  double a = GetParam();
  ContextHistory history = known_history(d, 60, false);
  TargetLaw law = solved(history.gram(a, ridge), history.target(a, false, a* ridge / 4));
};
INSTANTIATE_TEST_SUITE_P(Scales, LinearScheduleInContexts, Values(0.5, 1.0, 1.5));

TEST_P(LinearScheduleInContexts, KeepsTheMeanAndScalesTheCovarianceByTheRoundsLeft) {
  auto policy = taught(240);
  Rng rng(41);
  const ThetaSample sample(draws(100'000), d, [&] { return fitted(policy, rng); });
  EXPECT_LT(sample.deviation(law.mean, 0.75 * law.covariance), 5);  // a_t = a (1 - 60 / 240)
}

TEST_P(LinearScheduleInContexts, NoLongerPerturbsAfterTheHorizon) {
  auto policy = taught(60);
  Rng rng(42);
  for (int i = 0; i < 100; ++i)
    EXPECT_LT((fitted(policy, rng) - law.mean).norm(), 1e-13 * law.mean.norm() + 1e-14);
}

}  // namespace
}  // namespace phe::test
