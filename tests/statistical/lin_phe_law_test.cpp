// LinPhe against Algorithm 1: the law of theta-tilde, its freshness, and the regret.
#include <cmath>

#include <gtest/gtest.h>

#include "phe/simulate.hpp"
#include "problems/linear.hpp"
#include "support/algorithm1.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe {
namespace {

using test::Algorithm1;
using test::Fraction;
using test::ThetaSample;
using ::testing::Bool;
using ::testing::Combine;
using ::testing::Values;

struct Case {
  Fraction a;
  double low;
  double high;
};

Eigen::VectorXd fitted(LinPhe& policy, Rng& rng) {
  policy.fit(rng);
  return Eigen::Map<const Eigen::VectorXd>(policy.estimate().data(),
                                           static_cast<Eigen::Index>(policy.estimate().size()));
}

// Pulls of six arms in three dimensions, from none to many, with rewards all over the range.
class ThetaLaw : public ::testing::TestWithParam<std::tuple<Case, Gram, bool>> {
 protected:
  ThetaLaw() {
    const auto& [c, gram, centred] = GetParam();
    a = c.a;
    options = {.perturbation_scale = a.value(),
               .ridge = 2.0,
               .gram = gram,
               .centred = centred,
               .rewards = {c.low, c.high}};
  }

  // The same pulls for both.
  template <class... Learner>
  void teach(std::vector<std::uint64_t> pulls, Learner&... learners) {
    Rng rng(121);
    for (ArmId arm = 0; arm < pulls.size(); ++arm)
      for (std::uint64_t i = 0; i < pulls[arm]; ++i) {
        // The ends of the range among them.
        const double u = i == 0 ? 1.0 : i == 1 ? 0.0 : to_unit(rng());
        const double reward =
            i == 0 ? options.rewards.high
                   : options.rewards.low + u * (options.rewards.high - options.rewards.low);
        (static_cast<void>(learners.update(arm, reward)), ...);
      }
  }

  Fraction a;
  LinPheOptions options;
  Arms arms = test::normal_arms(6, 3, 122);
};

INSTANTIATE_TEST_SUITE_P(Readings, ThetaLaw,
                         Combine(Values(Case{{1, 1}, 0, 1}, Case{{2, 1}, 0, 1}, Case{{1, 2}, 0, 1},
                                        Case{{3, 2}, 0, 1}, Case{{1, 1}, -2, 3},
                                        Case{{1, 2}, -2, 3}),
                                 Values(Gram::paper, Gram::authors), Bool()));

TEST_P(ThetaLaw, MeanAndCovarianceOfLinPheAreExact) {
  Algorithm1 reference(arms, a, options);
  auto policy = LinPhe::create(arms, options).value();
  teach({0, 1, 3, 10, 70, 1500}, policy, reference);
  Rng rng(123);
  const ThetaSample sample(test::draws(100'000), 3, [&] { return fitted(policy, rng); });
  EXPECT_LT(sample.deviation(reference.mean(), reference.covariance()), 5);
}

TEST_P(ThetaLaw, AlgorithmOneFlipByFlipHasTheSameLaw) {
  Algorithm1 reference(arms, a, options);
  auto policy = LinPhe::create(arms, options).value();
  teach({0, 1, 2, 5, 9, 30}, policy, reference);
  Rng rng(124);
  const ThetaSample flips(test::draws(20'000), 3, [&] { return reference.sample(rng); });
  const ThetaSample sums(test::draws(100'000), 3, [&] { return fitted(policy, rng); });
  EXPECT_LT(flips.deviation(reference.mean(), reference.covariance()), 5);
  EXPECT_LT(sums.deviation(reference.mean(), reference.covariance()), 5);
}

TEST_P(ThetaLaw, AWarmStartHasTheLawOfLearningPullByPull) {
  Algorithm1 reference(arms, a, options);
  auto taught = LinPhe::create(arms, options).value();
  teach({0, 1, 3, 10, 70, 1500}, taught, reference);
  auto warm = LinPhe::create(arms, options, taught.history()).value();
  EXPECT_EQ(warm.history(), taught.history());
  Rng rng(125);
  const ThetaSample sample(test::draws(100'000), 3, [&] { return fitted(warm, rng); });
  EXPECT_LT(sample.deviation(reference.mean(), reference.covariance()), 5);
}

TEST_P(ThetaLaw, TheTestWouldNoticeOtherFormulas) {
  Algorithm1 reference(arms, a, options);
  LinPheOptions unscaled = options;  // the ridge without its factor a + 1
  unscaled.ridge /= a.value() + 1;
  Algorithm1 unscaled_ridge(arms, a, unscaled);
  LinPheOptions uncentred = options;
  uncentred.centred = !options.centred;
  Algorithm1 other_centre(arms, a, uncentred);
  Algorithm1 more_noise(arms, {a.numerator + a.denominator, a.denominator}, options);
  auto policy = LinPhe::create(arms, options).value();
  teach({0, 1, 3, 10, 70, 1500}, policy, reference, unscaled_ridge, other_centre, more_noise);
  Rng rng(126);
  const ThetaSample sample(test::draws(100'000), 3, [&] { return fitted(policy, rng); });
  for (const Algorithm1* wrong : {&unscaled_ridge, &other_centre, &more_noise})
    EXPECT_GT(sample.deviation(wrong->mean(), wrong->covariance()), 8);
}

TEST(ThetaLawAtSize, AWarmStartOfAMillionMillionPullsIsExact) {
  // The standard deviation of theta is 5e-7 here, so an inverse that has lost its last nine digits
  // would show.
  const Arms arms = test::normal_arms(4, 3, 127);
  LinPheOptions options{.perturbation_scale = 1, .ridge = 1};
  History history(4);
  Eigen::MatrixXd gram = 2 * Eigen::MatrixXd::Identity(3, 3);
  Eigen::VectorXd target = Eigen::VectorXd::Zero(3);
  Eigen::MatrixXd noise = Eigen::MatrixXd::Zero(3, 3);
  for (ArmId arm = 0; arm < 4; ++arm) {
    const double pulls = 1e12 / (arm + 1);
    const auto count = static_cast<std::uint64_t>(pulls);
    const double sum = 0.25 * static_cast<double>(count);
    history.add(arm, sum, count);
    const Eigen::VectorXd x = test::row_of(arms, arm);
    gram += 2 * static_cast<double>(count) * x * x.transpose();
    target += x * (sum + 0.5 * static_cast<double>(count));
    noise += 0.25 * static_cast<double>(count) * x * x.transpose();
  }
  auto policy = LinPhe::create(arms, options, history).value();
  Rng rng(128);
  const ThetaSample sample(10'000, 3, [&] { return fitted(policy, rng); });
  const Eigen::MatrixXd inverse = gram.inverse();
  EXPECT_LT(sample.deviation(gram.ldlt().solve(target), inverse * noise * inverse), 5);
}

TEST(ThetaNoise, IsFreshInEveryRound) {
  const Arms arms = test::normal_arms(10, 2, 129);
  auto policy = LinPhe::create(arms, {.perturbation_scale = 1}).value();
  for (ArmId arm = 0; arm < 10; ++arm)
    for (ArmId i = 0; i < 5 * arm; ++i) EXPECT_TRUE(policy.update(arm, 0.5).ok());
  Rng rng(130);
  constexpr std::size_t n = test::draws(100'000);
  std::vector<double> first(n);
  std::vector<double> second(n);
  for (std::size_t t = 0; t < n; ++t) {
    const Eigen::VectorXd theta = fitted(policy, rng);
    first[t] = theta(0);
    second[t] = theta(1);
  }
  // A correlation of n independent pairs has sd 1 / sqrt(n). Rounds are drawn 16 at a time, so
  // lags beyond that count.
  for (std::size_t lag = 1; lag <= 40; ++lag)
    for (const auto& x : {first, second})
      for (const auto& y : {first, second})
        EXPECT_LT(
            std::abs(test::correlation(std::span(x).first(n - lag), std::span(y).last(n - lag))),
            5 / std::sqrt(static_cast<double>(n - lag)))
            << lag;
}

TEST(ThetaNoise, IsIndependentBetweenArms) {
  // Arms e_1 .. e_6: theta_i is arm i's pseudo-rewards, scaled.
  const auto arms = Arms::generate(6, 6, [](auto i, auto j) { return i == j; }).value();
  auto policy = LinPhe::create(arms, {.perturbation_scale = 1}).value();
  for (ArmId arm = 0; arm < 6; ++arm)
    for (int i = 0; i < (arm < 3 ? 7 : 200); ++i) EXPECT_TRUE(policy.update(arm, 0.5).ok());
  Rng rng(131);
  constexpr std::size_t n = test::draws(100'000);
  std::vector<std::vector<double>> theta(6, std::vector<double>(n));
  for (std::size_t t = 0; t < n; ++t) {
    policy.fit(rng);
    for (std::size_t j = 0; j < 6; ++j) theta[j][t] = policy.estimate()[j];
  }
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_LT(std::abs(test::correlation(theta[i], theta[j])),
                5 / std::sqrt(static_cast<double>(n)));
}

TEST(ThetaNoise, KeepsItsLawWhileTheHistoryGrows) {
  // In each round the noise of the target, G theta - E[G theta] = sum_i x_i (U_i - m_i / 2), is
  // divided by its standard deviation at that round. The results have mean 0 and variance 1 and
  // do not depend on those before.
  constexpr std::size_t rounds = test::draws(20'000, 4000);
  const Arms arms = test::normal_arms(30, 2, 132);
  const LinPheOptions options{.perturbation_scale = 0.5, .ridge = 1};
  Algorithm1 reference(arms, {1, 2}, options);
  auto policy = LinPhe::create(arms, options).value();
  Rng rng(133);
  std::vector<double> noise;
  for (std::size_t t = 0; t < rounds; ++t) {
    const auto arm = static_cast<ArmId>(rng.below(t % 50 < 25 ? 2 : 30));
    const double reward = to_unit(rng());
    EXPECT_TRUE(policy.update(arm, reward).ok());
    reference.update(arm, reward);
    if (t >= 2000 && t % 100 != 0) continue;  // the reference costs more with every pull
    const Eigen::VectorXd target = reference.gram() * fitted(policy, rng);
    const Eigen::VectorXd mean = reference.mean_target();
    noise.push_back((target - mean)(0) / std::sqrt(reference.target_covariance()(0, 0)));
  }
  const auto n = static_cast<double>(noise.size());
  EXPECT_NEAR(test::mean(noise), 0, 5 / std::sqrt(n));
  // A variance of n normal values has sd sqrt(2 / n); sums of coins have less.
  EXPECT_NEAR(test::covariance(noise, noise), 1, 5 * std::sqrt(2 / n));
  for (std::size_t lag = 1; lag <= 20; ++lag)
    EXPECT_LT(std::abs(test::correlation(std::span(noise).first(noise.size() - lag),
                                         std::span(noise).last(noise.size() - lag))),
              5 / std::sqrt(n - static_cast<double>(lag)));
}

class Regret : public ::testing::TestWithParam<std::tuple<Fraction, Gram>> {};

INSTANTIATE_TEST_SUITE_P(Readings, Regret,
                         Combine(Values(Fraction{1, 1}, Fraction{2, 1}, Fraction{1, 2}),
                                 Values(Gram::paper, Gram::authors)));

template <class Learner>
double regret_of(Learner& learner, const Instance& instance, Rng rng) {
  double regret = 0;
  for (std::uint64_t t = 0; t < 200; ++t) {
    const ArmId arm = learner.select(rng);
    static_cast<void>(learner.update(arm, instance.reward(t, arm)));
    regret += instance.gap(arm);
  }
  return regret;
}

TEST_P(Regret, OfLinPheIsThatOfAlgorithmOne) {
  const auto& [a, gram] = GetParam();
  const LinPheOptions options{.perturbation_scale = a.value(), .ridge = 1, .gram = gram};
  const auto problem = LinearProblem::create({.dimension = 3, .arms = 10}).value();
  std::vector<double> difference;
  std::vector<double> regret;
  for (std::uint64_t i = 0; i < test::draws(1000, 500); ++i) {
    const StreamKey key = StreamKey(134).with(i);
    const auto instance = problem.draw(key).value();
    auto policy = LinPhe::create(instance->arms(), options).value();
    Algorithm1 reference(instance->arms(), a, options);
    regret.push_back(regret_of(policy, *instance, Rng(key.with(1))));
    difference.push_back(regret.back() - regret_of(reference, *instance, Rng(key.with(2))));
  }
  const auto [mean, error] = mean_and_error(difference);
  RecordProperty("regret", std::to_string(mean_and_error(regret).mean));
  RecordProperty("difference", std::to_string(mean));
  RecordProperty("error", std::to_string(error));
  EXPECT_LT(std::abs(mean), 4 * error);
  // A difference of a fifth of the regret would show. The laws of theta and of its noise, which
  // decide the regret, are tested above to 1%.
  EXPECT_LT(error, 0.045 * mean_and_error(regret).mean);
}

}  // namespace
}  // namespace phe
