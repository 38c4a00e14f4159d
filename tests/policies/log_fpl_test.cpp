#include "policies/log_fpl.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "phe/registry.hpp"
#include "policies/logistic_twin.hpp"
#include "support/learning.hpp"

namespace phe {
namespace {

TEST(LogFpl, PullsTheArmThatIsBestAfterFreshNoiseOnEveryReward) {
  // As many arms as features, so that the noisy reward sum of each arm can be told from their sum.
  constexpr std::size_t d = 3;
  const Arms arms = test::normal_arms(d, d, 1);
  Eigen::MatrixXd features(d, d);  // columns are arms
  for (ArmId arm = 0; arm < d; ++arm) features.col(arm) = test::row_of(arms, arm);
  const Eigen::PartialPivLU<Eigen::MatrixXd> solver(features);
  LogFplOptions options;
  options.noise_scale = 0.7;
  test::Learning<LogFpl> policy(arms, LogFpl::create(arms, options), Start::basis);
  Rng rng(2);
  double pulls[d] = {};
  double sums[d] = {};
  double squares = 0.0;
  int count = 0;
  for (std::uint64_t t = 0; t < 1000; ++t) {
    const ArmId arm = policy.select(rng);
    if (t >= d) {
      const Eigen::Map<const Eigen::VectorXd> target(policy.learner().target().data(), d);
      const Eigen::VectorXd noisy = solver.solve(Eigen::VectorXd(target));
      for (ArmId k = 0; k < d; ++k) {
        const double z = (noisy[k] - sums[k]) / (0.7 * std::sqrt(pulls[k]));
        squares += z * z;
        ++count;
      }
      if (t % 50 == 0) {
        std::vector<test::Observation> list;
        for (ArmId k = 0; k < d; ++k) {
          const Eigen::VectorXd x = test::row_of(arms, k);
          list.push_back({{x.begin(), x.end()}, noisy[k] / pulls[k], pulls[k]});
        }
        const auto theta = test::SlowLogistic(list, 0.5).minimise(d);
        Eigen::Index best = 0;
        (features.transpose().cast<long double>() * theta).maxCoeff(&best);
        EXPECT_EQ(static_cast<Eigen::Index>(arm), best) << "round " << t;
      }
    }
    const double reward = test::coin_reward(arm, t);
    policy.update(arm, reward);
    pulls[arm] += 1;
    sums[arm] += reward;
  }
  // The mean of z^2 over `count` independent standard normal draws; Var(z^2) = 2.
  EXPECT_NEAR(squares / count, 1.0, 5 * std::sqrt(2.0 / count));
}

TEST(LogFpl, CopesWithNoiseThatNoMeanExplains) {
  const Arms arms = test::normal_arms(20, 4, 3);
  LogFplOptions options;
  options.noise_scale = 100.0;
  options.ridge = 1e-3;
  test::Learning<LogFpl> policy(arms, LogFpl::create(arms, options), Start::basis);
  Rng rng(4);
  for (std::uint64_t t = 0; t < 200; ++t) {
    const ArmId arm = policy.select(rng);
    ASSERT_LT(arm, 20u);
    ASSERT_TRUE(t < 4 || policy.learner().last_fit().converged ||
                policy.learner().last_fit().arm_certain)
        << "round " << t;
    policy.update(arm, test::coin_reward(arm, t));
  }
}

TEST(LogFpl, RefusesBadNumbers) {
  const Registry registry = Registry::built_in();
  const Arms arms = test::normal_arms(4, 2, 1);
  for (const char* spec : {"logfpl:ridge=0", "logfpl:a=0", "logfpl:a=-1"})
    EXPECT_FALSE(registry.policy(spec).value().make({arms, 10, {}, true}).ok()) << spec;
}

}  // namespace
}  // namespace phe
