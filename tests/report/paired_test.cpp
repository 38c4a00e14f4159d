#include "report/paired.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "report/student_t.hpp"
#include "support/toy.hpp"

namespace phe {
namespace {

// Three policies on two problems, with regrets made up per instance.
class PairedTest : public testing::Test {
 protected:
  explicit PairedTest(std::uint64_t instances = 5)
      : plan_(Plan::create({.problems = {"toy:d=2", "toy:d=3"},
                            .policies = {"toy:a=1", "toy:a=2", "toy:a=3"},
                            .rounds = 10,
                            .instances = instances,
                            .first_instance = 7},
                           registry_)
                  .value()) {}

  // regret(instance) of a policy on both problems; the instance counts from 0.
  void set(std::size_t policy, const std::function<double(std::uint64_t)>& regret) {
    for (const std::size_t problem : {0U, 1U})
      for (std::uint64_t i = 0; i < plan_.experiment().instances; ++i) {
        const RunId id{problem, policy, 7 + i};
        runs_[id] = {id, {0.0, regret(i)}, 0.0};
      }
  }

  Registry registry_ = test::toy_registry();
  Plan plan_;
  Runs runs_;
};

TEST_F(PairedTest, GivesTheNumbersWorkedOutByHand) {
  const double theirs[] = {10, 20, 30, 40, 50};
  const double gaps[] = {1, 2, 3, 4, 5};  // mean 3, variance 2.5, standard error sqrt(0.5)
  set(0, [&](auto i) { return theirs[i] + gaps[i]; });
  set(1, [&](auto i) { return theirs[i]; });
  set(2, [&](auto i) { return theirs[i]; });
  const std::vector<PolicyPair> pairs = {{0, 1}};
  const auto found = paired_differences(plan_, runs_, pairs, 0.95);
  ASSERT_EQ(found.size(), 2U);  // one per problem
  EXPECT_EQ(found[0].problem, 0U);
  EXPECT_EQ(found[1].problem, 1U);
  EXPECT_DOUBLE_EQ(found[0].difference, 3.0);
  EXPECT_DOUBLE_EQ(found[0].standard_error, std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(found[0].ratio, 33.0 / 30.0);
  // Two intervals that hold together with 95 %: each at 97.5 %, t of 4 degrees at 0.9875 is 3.4954.
  EXPECT_NEAR(found[0].low, 3.0 - 3.4954 * std::sqrt(0.5), 1e-4);
  EXPECT_NEAR(found[0].high, 3.0 + 3.4954 * std::sqrt(0.5), 1e-4);
  // t = 3 / sqrt(0.5); P(|T| > 4.2426) = 0.013236 with 4 degrees, and twice that for two.
  EXPECT_NEAR(found[0].p_value, 2 * 0.013236, 1e-5);
  EXPECT_EQ(found[0].lower(), 1U);
}

TEST_F(PairedTest, AnIntervalHasZeroInItExactlyWhenTheCorrectedPIsAboveTheLevel) {
  // Differences whose t statistics lie around every critical value.
  const double noise[] = {-1, 0.5, 1, -0.25, 0.75};
  const std::vector<std::size_t> policies = {0, 1, 2};
  for (int step = -40; step <= 40; ++step) {
    set(0, [&](auto i) { return 100 + 0.1 * step + noise[i]; });
    set(1, [&](auto) { return 100.0; });
    set(2, [&](auto i) { return 100 + noise[4 - i]; });
    for (const auto& d : paired_differences(plan_, runs_, all_pairs(policies), 0.9)) {
      EXPECT_EQ(d.lower().has_value(), d.p_value < 0.1) << step;
      EXPECT_EQ(d.lower().value_or(d.difference < 0 ? d.policy : d.other),
                d.difference < 0 ? d.policy : d.other);
    }
  }
}

TEST_F(PairedTest, EqualPoliciesAreUndecidedAndAConstantDifferenceIsCertain) {
  set(0, [](auto i) { return 5.0 + static_cast<double>(i); });
  set(1, [](auto i) { return 5.0 + static_cast<double>(i); });
  set(2, [](auto i) { return 4.0 + static_cast<double>(i); });
  const std::vector<std::size_t> policies = {0, 1, 2};
  const auto found = paired_differences(plan_, runs_, all_pairs(policies), 0.95);
  EXPECT_EQ(found[0].p_value, 1.0);
  EXPECT_FALSE(found[0].lower());
  EXPECT_EQ(found[1].p_value, 0.0);
  EXPECT_EQ(found[1].lower(), 2U);
}

TEST(PolicyPairs, AreEveryTwoOrEachWithOne) {
  const std::vector<std::size_t> policies = {0, 2, 3};
  const auto as_text = [](const std::vector<PolicyPair>& pairs) {
    std::string text;
    for (const auto& [policy, other] : pairs)
      text += std::to_string(policy) + '-' + std::to_string(other) + ' ';
    return text;
  };
  EXPECT_EQ(as_text(all_pairs(policies)), "0-2 0-3 2-3 ");
  EXPECT_EQ(as_text(pairs_with(policies, 2)), "0-2 3-2 ");
}

// 4,000 experiments with three policies and two problems, whose regrets are a normal number per
// instance around means 100, 101 and 102: six intervals each. When a tenth of the experiments has a
// miss, the standard error of that share is sqrt(0.1 * 0.9 / 4000) = 0.0047.
class PairedCoverageTest : public PairedTest {
 protected:
  PairedCoverageTest() : PairedTest(8) {}
};

TEST_F(PairedCoverageTest, AllIntervalsHoldTogetherWithTheGivenConfidence) {
  const std::vector<std::size_t> policies = {0, 1, 2};
  const auto pairs = all_pairs(policies);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  constexpr int experiments = 4000;
  int missed = 0;
  for (int e = 0; e < experiments; ++e) {
    for (const std::size_t policy : policies)
      set(policy, [&](auto) { return 100.0 + static_cast<double>(policy) + normal(random); });
    bool miss = false;
    for (const auto& d : paired_differences(plan_, runs_, pairs, 0.9)) {
      const double truth = static_cast<double>(d.policy) - static_cast<double>(d.other);
      miss = miss || d.low > truth || d.high < truth;
    }
    missed += miss ? 1 : 0;
  }
  const double share = static_cast<double>(missed) / experiments;
  // At most 10 %. The three differences of a problem depend on each other, so some misses fall
  // together; were the intervals not corrected at all, the share would be over 30 %, and below 6 %
  // they would be too wide.
  EXPECT_LT(share, 0.1 + 5 * 0.0047);
  EXPECT_GT(share, 0.06);
}

}  // namespace
}  // namespace phe
