#include "policies/index_policies.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policies/every_policy.hpp"

namespace phe::test {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Policy> make(const std::string& spec, std::size_t arms) {
  const auto unit = Arms::generate(arms, arms, [](auto i, auto j) { return i == j ? 1.0 : 0.0; });
  return registry().policy(spec).value().make({unit.value(), 1000, RewardRange{}, true}).value();
}

// The definitions, with the functions of the standard library.
double slow_ucb1(double mean, double pulls, double t) {
  return mean + std::sqrt(2 * std::log(t) / pulls);
}
double slow_klucb(double mean, double pulls, double t) {
  const auto term = [](double p, double q) { return p == 0 ? 0.0 : p * std::log(p / q); };
  double best = mean;
  for (double q = mean; q < 1; q += 1e-6)
    if (pulls * (term(mean, q) + term(1 - mean, 1 - q)) <= std::log(t)) best = q;
  return best;
}

TEST(IndexPolicies, PullEachArmOnceAndThenTheOneOfTheHighestIndex) {
  for (const bool kl : {false, true}) {
    const auto policy = make(kl ? "klucb" : "ucb1", 3);
    Rng rng(1);
    std::vector<double> pulls(3), sums(3);
    for (std::uint64_t t = 0; t < 60; ++t) {
      const ArmId arm = policy->select(rng);
      double highest = -1;
      for (std::size_t k = 0; k < 3; ++k)
        if (pulls[k] > 0) {
          const auto index = kl ? slow_klucb : slow_ucb1;
          highest =
              std::max(highest, index(sums[k] / pulls[k], pulls[k], static_cast<double>(t + 1)));
        }
      if (t < 3)
        ASSERT_EQ(pulls[arm], 0.0);
      else
        ASSERT_NEAR((kl ? slow_klucb : slow_ucb1)(sums[arm] / pulls[arm], pulls[arm],
                                                  static_cast<double>(t + 1)),
                    highest, 2e-6);
      const double reward = to_unit(StreamKey(3).with(t).value()) < 0.2 + 0.3 * arm ? 1.0 : 0.0;
      ASSERT_TRUE(policy->update(arm, reward).ok());
      ++pulls[arm];
      sums[arm] += reward;
    }
  }
}

TEST(IndexPolicies, TheDivergenceIsThatOfBernoulliLaws) {
  EXPECT_NEAR(bernoulli_divergence(0.3, 0.6), 0.3 * std::log(0.5) + 0.7 * std::log(1.75), 1e-15);
  EXPECT_NEAR(bernoulli_divergence(0.0, 0.25), -std::log(0.75), 1e-15);
  EXPECT_NEAR(bernoulli_divergence(1.0, 0.25), -std::log(0.25), 1e-15);
  EXPECT_EQ(bernoulli_divergence(0.5, 0.5), 0.0);
}

TEST(IndexPolicies, TheLargestMeanLiesOnTheEdge) {
  for (const double p : {0.0, 0.01, 0.5, 0.99})
    for (const double bound : {1e-6, 0.1, 2.0}) {
      const double q = largest_mean_within(p, bound);
      EXPECT_GE(q, p);
      EXPECT_LE(bernoulli_divergence(p, q), bound * (1 + 1e-6));
      if (q + 1e-9 < 1) {
        EXPECT_GT(bernoulli_divergence(p, q + 1e-9 * (1 + bound)), bound);
      }
    }
  EXPECT_EQ(largest_mean_within(1.0, 0.5), 1.0);
}

TEST(IndexPolicies, DecideSharesAmongTheBest) {
  for (const char* spec : {"ucb1", "klucb"}) {
    const auto policy = make(spec, 4);
    Rng rng(1);
    Decision decision;
    ASSERT_TRUE(policy->decide(rng, {}, decision).ok());
    EXPECT_EQ(decision.probabilities, std::vector<double>(4, 0.25));
    for (ArmId arm = 0; arm < 4; ++arm) ASSERT_TRUE(policy->update(arm, arm == 2 ? 1.0 : 0.0).ok());
    ASSERT_TRUE(policy->decide(rng, {}, decision).ok());
    EXPECT_EQ(decision.action, 2U);
    EXPECT_EQ(decision.probabilities, (std::vector<double>{0, 0, 1, 0}));
  }
}

TEST(IndexPolicies, RefuseWhatCannotBe) {
  const auto arms = Arms::from_rows({{1, 0}, {0, 1}}).value();
  for (const char* spec : {"ucb1:width=-1", "klucb:c=nan", "betats:alpha=0.5", "betats:beta=0"})
    EXPECT_FALSE(registry().policy(spec).value().make({arms, 10, RewardRange{}}).ok()) << spec;
  EXPECT_THAT(registry().policy("ucb1:width=-1").value().make({arms, 10, {}}).error().message,
              HasSubstr("ucb1: width must be from 0"));
}

}  // namespace
}  // namespace phe::test
