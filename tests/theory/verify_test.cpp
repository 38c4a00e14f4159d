#include "theory/verify.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "problems/linear.hpp"
#include "theory/watch.hpp"

namespace phe::theory {
namespace {

std::unique_ptr<const Instance> small_instance() {
  auto problem = LinearProblem::create({.dimension = 4, .arms = 12});
  return std::move(problem->draw(StreamKey(5))).value();
}

// The sample variance of m draws has relative standard error sqrt(2 / m): 1% for 20000. With about
// 170 comparisons at joint confidence 0.99 an interval reaches 4 standard errors to each side, 4%,
// so a variance that is 10% off is 6 standard errors outside.
VerifyOptions small_options() {
  return {.rounds = 200, .runs = 20, .draws = 20'000, .confidence = 0.99, .a = 3, .ridge = 0.05};
}

// A sampler whose deviations from the mean are stretched.
MakeSampler stretched(double factor) {
  return [factor](const Arms& arms, const LinPheOptions& options,
                  const History& history) -> Result<Sampler> {
    auto exact = lin_phe_sampler(arms, options, history);
    if (!exact) return exact.error();
    const double a = options.perturbation_scale;
    const AnalysisState state(arms, history, options.ridge, options.centred ? 0 : a / 2);
    const Eigen::VectorXd mean = state.theta_bar / (a + 1);
    return Sampler([=, draw = exact.value()](Rng& rng, std::span<double> theta) {
      draw(rng, theta);
      for (std::size_t j = 0; j < theta.size(); ++j) {
        const double centre = mean[static_cast<Eigen::Index>(j)];
        theta[j] = centre + factor * (theta[j] - centre);
      }
    });
  };
}

const Check& named(const VerifyReport& report, std::string_view lemma) {
  return *std::ranges::find(report.checks, lemma, &Check::lemma);
}

VerifyReport report_of(const VerifyOptions& options, const MakeSampler& sampler = lin_phe_sampler) {
  auto report = verify(*small_instance(), options, StreamKey(7), sampler);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message);
  return std::move(report).value();
}

TEST(Verify, EveryClaimHoldsForLinPhe) {
  const auto report = report_of(small_options());
  for (const Check& check : report.checks) EXPECT_TRUE(check.holds) << check.claim;
  EXPECT_EQ(named(report, "Lemma 3").comparisons.size(), 20U);
  EXPECT_EQ(named(report, "Lemma 6").comparisons.size(), 4U * 3U);  // states, directions
  EXPECT_FALSE(named(report, "Lemma 2").applies());  // a = 3 is too small for p3 > p2
}

TEST(Verify, EveryClaimHoldsForCentredPseudoRewardsToo) {
  auto options = small_options();
  options.centred = true;
  for (const Check& check : report_of(options).checks) EXPECT_TRUE(check.holds) << check.claim;
}

TEST(Verify, AtTheTheorysScaleLemma2Applies) {
  auto options = small_options();
  const auto instance = small_instance();
  const auto setting = setting_of(instance->arms(), instance->means());
  const auto table = table_1(Reading::smaller_ridge, 200, setting.value());
  options.a = table->a;
  options.ridge = table->lambda;
  options.draws = 2000;
  const auto report = report_of(options);
  EXPECT_TRUE(all_hold(report.checks));
  EXPECT_TRUE(named(report, "Lemma 2").applies());
  EXPECT_TRUE(named(report, "p₃").applies());
  EXPECT_NEAR(report.constants.L_star / table->L_star, 1, 1e-9);
}

// The last pull of some arms comes after a fit, as in a run: their pseudo-rewards are added late to
// sums that were drawn ahead.
Result<Sampler> late_pulls(const Arms& arms, const LinPheOptions& options, const History& history) {
  History early(arms.size());
  std::vector<std::pair<ArmId, double>> late;
  for (ArmId arm = 0; arm < arms.size(); ++arm) {
    const std::uint64_t pulls = history.pulls(arm);
    if (pulls == 0) continue;
    const double held = pulls > 1 ? std::min(1.0, history.reward_sum(arm)) : 0.0;
    if (pulls > 1) late.emplace_back(arm, held);
    early.add(arm, history.reward_sum(arm) - held, pulls > 1 ? pulls - 1 : pulls);
  }
  auto made = LinPhe::create(arms, options, early);
  if (!made) return made.error();
  auto start = std::make_shared<LinPhe>(std::move(made).value());
  return Sampler([start, late](Rng& rng, std::span<double> theta) {
    LinPhe policy = *start;
    policy.fit(rng);
    for (const auto& [arm, reward] : late) EXPECT_TRUE(policy.update(arm, reward).ok());
    policy.fit(rng);
    std::ranges::copy(policy.estimate(), theta.begin());
  });
}

TEST(Verify, EveryClaimHoldsWhenPullsComeAfterPseudoRewardsWereDrawnAhead) {
  const auto report = report_of(small_options(), late_pulls);
  for (const Check& check : report.checks) EXPECT_TRUE(check.holds) << check.claim;
}

TEST(Verify, FailsASamplerWhoseVarianceIsTenPercentOff) {
  for (const double factor : {std::sqrt(1.1), std::sqrt(0.9)}) {
    const auto report = report_of(small_options(), stretched(factor));
    EXPECT_FALSE(all_hold(report.checks));
    EXPECT_FALSE(named(report, "variance").holds);
    EXPECT_TRUE(named(report, "mean").holds);
  }
}

TEST(Verify, FailsASamplerThatDrawsItsNoiseOnce) {
  const MakeSampler frozen = [](const Arms& arms, const LinPheOptions& options,
                                const History& history) -> Result<Sampler> {
    auto exact = lin_phe_sampler(arms, options, history);
    if (!exact) return exact.error();
    return Sampler([draw = exact.value()](Rng&, std::span<double> theta) {
      Rng same(1);
      draw(same, theta);
    });
  };
  EXPECT_FALSE(named(report_of(small_options(), frozen), "variance").holds);
}

TEST(Verify, FailsASamplerWithTwiceTheNoiseInLemma6AndNoNoiseInLemma7) {
  EXPECT_FALSE(std::ranges::all_of(report_of(small_options(), stretched(2)).checks,
                                   [](const Check& c) { return c.lemma != "Lemma 6" || c.holds; }));
  EXPECT_FALSE(std::ranges::all_of(report_of(small_options(), stretched(0)).checks,
                                   [](const Check& c) { return c.lemma != "Lemma 7" || c.holds; }));
}

TEST(Verify, FailsASamplerThatForgetsTheMeanOfItsPseudoRewards) {
  const MakeSampler biased = [](const Arms& arms, LinPheOptions options,
                                const History& history) -> Result<Sampler> {
    options.centred = true;
    return lin_phe_sampler(arms, options, history);
  };
  EXPECT_FALSE(named(report_of(small_options(), biased), "mean").holds);
}

TEST(Verify, EveryClaimHoldsWithItsDefaults) {
  const auto report = report_of({});
  for (const Check& check : report.checks) EXPECT_TRUE(check.holds) << check.claim;
  EXPECT_EQ(report.constants.rounds, 1000.0);
  EXPECT_EQ(named(report, "Lemma 3").comparisons.size(), 200U);
}

TEST(Verify, IsTheSameForTheSameSeed) {
  auto options = small_options();
  options.draws = 1000;
  const auto first = report_of(options);
  const auto second = report_of(options);
  ASSERT_EQ(first.checks.size(), second.checks.size());
  for (std::size_t i = 0; i < first.checks.size(); ++i)
    for (std::size_t j = 0; j < first.checks[i].comparisons.size(); ++j)
      EXPECT_EQ(first.checks[i].comparisons[j].measured.value,
                second.checks[i].comparisons[j].measured.value);
}

TEST(Verify, RefusesWhatTheAnalysisDoesNotCover) {
  const auto instance = small_instance();
  const auto message = [&](VerifyOptions options) {
    const auto report = verify(*instance, options, StreamKey(1));
    return report.ok() ? "" : report.error().message;
  };
  auto options = small_options();
  options.a = 0.5;
  EXPECT_EQ(message(options),
            "a must be a whole number from 1 to 1000000 (as in the analysis), got 0.5");
  options = small_options();
  options.ridge = 0;
  EXPECT_EQ(message(options), "ridge must be > 0, got 0");
  options = small_options();
  options.rounds = 5;
  EXPECT_EQ(message(options), "rounds must be from d + 2 = 6 to 10000000, got 5");
}

}  // namespace
}  // namespace phe::theory
