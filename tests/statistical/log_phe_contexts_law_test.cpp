// LogPHE in contexts: the law of what theta-tilde is fitted to, exactly. At the minimum the loss
// has no slope, so from a converged theta its target can be had back:
//
//   sum_l x_l (y_l + U_l) + prior noise = sum_l (1 + a) x_l sigma(x_l^T theta) + 2 ridge theta,
//
// with weights 1 in place of 1 + a when centred. An observation adds a/4 x x^T to the covariance
// of the left side and (1 + a)/4 x x^T, at even odds, to the Hessian; the prior's noise is in the
// same proportion to its 2 ridge I.
#include <cmath>

#include <gtest/gtest.h>

#include "phe/log_phe.hpp"
#include "policies/glm_phe_learner.hpp"
#include "policies/twin.hpp"
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
constexpr double ridge = 0.4;

Eigen::VectorXd theta_of(const LogPhe& policy) {
  return Eigen::Map<const Eigen::VectorXd>(policy.estimate().data(), d);
}

// theta-tilde of a round with some action or other.
Eigen::VectorXd drawn(LogPhe& policy, Rng& rng) {
  const std::vector<double> action(d, 1.0);
  EXPECT_TRUE(policy.select(Actions::rows(1, action), rng).ok());
  return theta_of(policy);
}

Eigen::VectorXd target_of(const ContextHistory& history, double weight,
                          const Eigen::VectorXd& theta) {
  Eigen::VectorXd target = 2 * ridge * theta;
  for (const auto& x : history.rows()) target += weight / (1 + std::exp(-x.dot(theta))) * x;
  return target;
}

class LogPheContextLaw : public testing::TestWithParam<std::tuple<double, bool, bool, Start>> {};
INSTANTIATE_TEST_SUITE_P(Cases, LogPheContextLaw,
                         Combine(Values(0.5, 1.0, 1.5, 2.0), Bool(), Bool(),
                                 Values(Start::prior, Start::none)));

TEST_P(LogPheContextLaw, MeanAndCovarianceOfTheTargetAreThoseOfTheFormulas) {
  const auto& [a, centred, repeated, start] = GetParam();
  auto policy = LogPhe::create(d, {.perturbation_scale = a,
                                   .ridge = ridge,
                                   .stop = GlmStop::gradient,
                                   .centred = centred,
                                   .start = start})
                    .value();
  const ContextHistory history = known_history(d, 12, repeated);  // few: the prior shows
  history.teach(policy);
  const double weight = centred ? 1 : 1 + a;
  const double prior = start == Start::prior ? 2 * ridge * a / weight : 0.0;
  const auto law = history.target(a, centred, prior);
  Rng rng(61);
  const ThetaSample sample(draws(40'000, 4'000), d,
                           [&] { return target_of(history, weight, drawn(policy, rng)); });
  EXPECT_LT(sample.deviation(law.mean, law.covariance), 5);
}

TEST(LogPheInContexts, NoiseIsFreshAndHasItsLawWhileTheHistoryGrows) {
  // Each entry of the target in units of its standard deviation by the formulas, in rounds 1 to 100
  // of many runs, with an observation before each.
  constexpr double a = 0.5;
  const std::size_t runs = draws(60, 20);
  constexpr std::size_t rounds = 100;
  std::vector<std::vector<double>> noise(runs);
  std::vector<double> all;
  for (std::size_t run = 0; run < runs; ++run) {
    auto policy =
        LogPhe::create(d, {.perturbation_scale = a, .ridge = ridge, .stop = GlmStop::gradient})
            .value();
    ContextHistory history(d);
    Rng rng(StreamKey(62).with(std::uint64_t{run}));
    for (std::size_t t = 0; t < rounds; ++t) {
      const bool again = t > 0 && rng.below(3) == 0;
      const Eigen::VectorXd x = again ? history.rows()[rng.below(t)] : normal_row(d, rng);
      history.add(x, rng.below(2) == 0 ? 1.0 : 0.0);
      history.teach_last(policy);
      const auto law = history.target(a, false, 2 * ridge * a / (1 + a));
      noise[run].push_back(whitened(target_of(history, 1 + a, drawn(policy, rng)), law)[0]);
      all.push_back(noise[run].back());
    }
  }
  const auto n = static_cast<double>(all.size());
  EXPECT_LT(std::abs(mean(all)), 5 / std::sqrt(n));
  EXPECT_NEAR(covariance(all, all), 1, 5 * std::sqrt(2 / n));
  for (std::size_t lag = 1; lag <= 80; ++lag) {
    double sum = 0;
    double count = 0;
    for (const auto& z : noise)
      for (std::size_t t = 0; t + lag < rounds; ++t, ++count) sum += z[t] * z[t + lag];
    EXPECT_LT(std::abs(sum), 5 * std::sqrt(count)) << lag;
  }
}

TEST(LogPheInContexts, FixedArmsHaveTheLawOfFixedArmsForWholeA) {
  const Arms arms = normal_arms(5, d, 63);
  for (const double a : {1.0, 2.0}) {
    const LogPheOptions options{
        .perturbation_scale = a, .ridge = ridge, .stop = GlmStop::gradient, .start = Start::none};
    auto fixed = LogPhe::create(arms, options).value();
    auto contexts = LogPhe::create(d, options).value();
    for (ArmId arm = 0; arm < 5; ++arm)
      for (std::uint64_t i = 0; i < arm * arm * 2; ++i) {
        EXPECT_TRUE(fixed.update(arm, coin(arm, i)).ok());
        EXPECT_TRUE(contexts.update(span_of(row_of(arms, arm)), coin(arm, i)).ok());
      }
    Rng rng(64);
    const Eigen::VectorXd direction = normal_row(d, rng);
    std::vector<double> of_fixed;
    std::vector<double> of_contexts;
    for (std::size_t i = 0; i < draws(20'000, 4'000); ++i) {
      static_cast<void>(fixed.select(rng));
      of_fixed.push_back(direction.dot(theta_of(fixed)));
      of_contexts.push_back(direction.dot(drawn(contexts, rng)));
    }
    EXPECT_GT(two_sample_p_value(of_fixed, of_contexts), 1e-3) << a;
  }
}

TEST(LogPheInContexts, TakesTheSameActionsWhetherFitsStopAtACertainActionOrAtTheMinimum) {
  const LogPheOptions certain{.perturbation_scale = 0.5};
  LogPheOptions converged = certain;
  converged.stop = GlmStop::gradient;
  auto fast = LogPhe::create(d, certain).value();
  auto slow = LogPhe::create(d, converged).value();
  Rng fast_rng(65);
  Rng slow_rng(65);
  for (std::uint64_t t = 1; t <= 300; ++t) {
    const Menu menu = menu_of_round(t, d);
    const std::size_t place = slow.select(menu.actions(), slow_rng).value();
    std::vector<double> scores;
    for (const auto& x : menu.rows) scores.push_back(x.dot(theta_of(slow)));
    const double best = *std::ranges::max_element(scores);
    ASSERT_NEAR(scores[place], best, 1e-12 * std::abs(best)) << t;
    ASSERT_EQ(fast.select(menu.actions(), fast_rng).value(), place) << t;
    for (LogPhe* policy : {&fast, &slow})
      EXPECT_TRUE(policy->update(span_of(menu.rows[place]), coin(ArmId(place), t)).ok());
  }
}

class LogPheWithMemory : public testing::TestWithParam<std::tuple<double, bool>> {};
INSTANTIATE_TEST_SUITE_P(Cases, LogPheWithMemory, Combine(Values(0.5, 1.0, 2.0), Bool()));

TEST_P(LogPheWithMemory, KeepsMeanAndCovarianceOfTheRowsThatItFolds) {
  // Features are so small that sigma(s) = 1/2 + s/4 but for some 1e-6: folding the older rows as a
  // quadratic changes nothing then, and theta = H^-1 (target - weight/2 sum x) with
  // H = 2 ridge I + weight/4 sum x x^T, whatever is folded.
  const auto& [a, centred] = GetParam();
  const LogPheOptions options{.perturbation_scale = a,
                              .ridge = ridge,
                              .stop = GlmStop::gradient,
                              .centred = centred,
                              .start = Start::prior,
                              .memory = 8};
  auto learner = LogPheLearner::create(Arms::none(d), options);
  LearnerPolicy policy(Arms::none(d), std::make_unique<LogPheLearner>(std::move(learner).value()),
                       Start::prior);
  const ContextHistory normal = known_history(d, 400, false);
  ContextHistory history(d);
  for (std::size_t l = 0; l < normal.size(); ++l)
    history.add(0.05 * normal.rows()[l], l % 3 == 0 ? 1.0 : 0.0);
  history.teach(policy);
  ASSERT_LT(policy.learner().rows().size(), 8 + 16) << "nothing was folded";

  const double weight = centred ? 1 : 1 + a;
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(d);
  Eigen::MatrixXd hessian = 2 * ridge * Eigen::MatrixXd::Identity(d, d);
  for (const auto& x : history.rows()) {
    sum += x;
    hessian += weight / 4 * x * x.transpose();
  }
  auto target = history.target(a, centred, 2 * ridge * a / weight);
  target.mean -= weight / 2 * sum;
  const auto law = solved(hessian, target);
  Rng rng(66);
  auto& drawing = static_cast<LogPheLearner&>(policy.learner());
  const ThetaSample sample(draws(40'000, 10'000), d, [&]() -> Eigen::VectorXd {
    return Eigen::Map<const Eigen::VectorXd>(drawing.draw(rng).data(), d);
  });
  EXPECT_LT(sample.deviation(law.mean, law.covariance), 5);
}

TEST(LogPheInContexts, AFitWithNothingOfferedConverges) {
  const LogPheOptions certain{.perturbation_scale = 1, .ridge = ridge};  // stop=arm
  LogPheOptions converged = certain;
  converged.stop = GlmStop::gradient;
  auto fast = LogPhe::create(d, certain).value();
  auto slow = LogPhe::create(d, converged).value();
  const ContextHistory history = known_history(d, 50, false);
  history.teach(fast);
  history.teach(slow);
  Rng fast_rng(67);
  Rng slow_rng(67);
  for (int i = 0; i < 5; ++i) {
    fast.fit(fast_rng);
    slow.fit(slow_rng);
    EXPECT_TRUE(fast.last_fit().converged);
    EXPECT_EQ(theta_of(fast), theta_of(slow));
  }
}

}  // namespace
}  // namespace phe::test
