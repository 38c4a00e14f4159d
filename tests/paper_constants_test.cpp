// Every default and every constant of the paper, stated here once, and not taken from the code.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "logs/evaluate.hpp"
#include "phe/lin_phe.hpp"
#include "phe/log_phe.hpp"
#include "phe/registry.hpp"
#include "phe/simulate.hpp"
#include "policies/giro.hpp"
#include "policies/glm_eps.hpp"
#include "policies/glm_ts.hpp"
#include "policies/glm_ucb.hpp"
#include "policies/lin_ens.hpp"
#include "policies/lin_eps.hpp"
#include "policies/lin_fpl.hpp"
#include "policies/lin_giro.hpp"
#include "policies/lin_ts.hpp"
#include "policies/lin_ucb.hpp"
#include "policies/log_fpl.hpp"
#include "policies/phe.hpp"
#include "policies/ucb_glm.hpp"
#include "problems/glm.hpp"
#include "problems/linear.hpp"
#include "problems/mab.hpp"
#include "report/claims.hpp"
#include "report/verdict.hpp"
#include "theory/verify.hpp"

namespace phe {
namespace {

using Defaults = std::map<std::string, std::map<std::string, std::string>>;

template <class Entries>
void expect_defaults(const Entries& entries, const Defaults& stated) {
  for (const auto& [name, keys] : stated) {
    const auto found = std::ranges::find(entries, name, [](const auto& e) { return e->name; });
    ASSERT_NE(found, entries.end()) << name;
    std::map<std::string, std::string> has;
    for (const ParameterInfo& info : (*found)->parameters) has[info.key] = info.default_value;
    for (const auto& [key, value] : keys) {
      ASSERT_TRUE(has.contains(key)) << name << ", " << key;
      EXPECT_EQ(has[key], value) << name << ", " << key;
    }
  }
}

TEST(PaperConstants, KeysOfPoliciesHaveTheseDefaults) {
  expect_defaults(
      Registry::built_in().policies(),
      {{"linphe",
        {{"a", "0.5"},
         {"ridge", "1"},
         {"gram", "paper"},
         {"centred", "false"},
         {"schedule", "constant"},
         {"memory", "all"},
         {"theory", "false"},
         {"norm", "auto"},
         {"shifted", "false"}}},
       {"logphe",
        {{"a", "0.5"}, {"ridge", "0.5"}, {"stop", "arm"}, {"centred", "false"}, {"memory", "all"}}},
       {"phe", {{"a", "1.1"}, {"pseudo", "bernoulli"}}},
       {"giro", {{"a", "1"}}},
       {"lingiro", {{"a", "1"}, {"ridge", "1"}, {"resample", "history"}}},
       {"lints",
        {{"ridge", "1"},
         {"sigma", "auto"},
         {"inflated", "false"},
         {"R", "0.5"},
         {"delta", "auto"}}},
       {"linucb",
        {{"radius", "authors"},
         {"width", "auto"},
         {"ridge", "1"},
         {"sigma", "auto"},
         {"delta", "auto"},
         {"R", "0.5"},
         {"S", "auto"}}},
       {"lineps", {{"epsilon", "0.05"}, {"schedule", "authors"}, {"ridge", "1"}}},
       {"linfpl", {{"a", "0.5"}, {"ridge", "1"}}},
       {"linens",
        {{"M", "30"}, {"noise", "gaussian"}, {"ridge", "1"}, {"sigma", "0.5"}, {"a", "1"}}},
       {"logts", {{"ridge", "0.5"}}},
       {"logeps",
        {{"epsilon", "0.05"}, {"schedule", "authors"}, {"ridge", "0.5"}, {"basis", "false"}}},
       {"logfpl", {{"a", "0.5"}, {"ridge", "0.5"}}},
       {"glmucb", {{"ridge", "1"}, {"c", "0.25"}, {"k", "0.25"}, {"R", "1"}, {"delta", "auto"}}},
       {"ucbglm", {{"ridge", "1"}, {"sigma", "0.5"}, {"kappa", "0.25"}, {"delta", "auto"}}}});
}

TEST(PaperConstants, KeysOfProblemsHaveTheseDefaults) {
  const std::map<std::string, std::string> rewards = {
      {"rewards", "bernoulli"}, {"concentration", "4"}, {"width", "1"}};
  Defaults stated = {{"linear", {{"d", "10"}, {"arms", "100"}, {"contexts", "false"}}},
                     {"disjoint", {{"d", "10"}, {"arms", "10"}}},
                     {"mab", {{"arms", "10"}, {"low", "0.25"}, {"high", "0.75"}}}};
  for (auto& [name, keys] : stated) keys.insert(rewards.begin(), rewards.end());
  stated["logistic"] = {{"d", "10"}, {"arms", "100"}, {"contexts", "false"}, {"radius", "1.5"}};
  stated["classify"] = {{"scale", "unit"}};
  expect_defaults(Registry::built_in().problems(), stated);
}

// What the library takes where nothing is said; the same as the keys.
TEST(PaperConstants, OptionsHaveTheseDefaults) {
  EXPECT_EQ(LinPheOptions().perturbation_scale, 0.5);
  EXPECT_EQ(LinPheOptions().ridge, 1.0);
  EXPECT_EQ(LinPheOptions().rounds, 10'000U);
  EXPECT_EQ(LogPheOptions().perturbation_scale, 0.5);
  EXPECT_EQ(LogPheOptions().ridge, 0.5);
  EXPECT_EQ(PheOptions().perturbation_scale, 1.1);
  EXPECT_EQ(GiroOptions().pseudo_rewards, 1.0);
  EXPECT_EQ(LinGiroOptions().pseudo_rewards, 1.0);
  EXPECT_EQ(LinGiroOptions().ridge, 1.0);
  EXPECT_EQ(LinTsOptions().ridge, 1.0);
  EXPECT_EQ(LinTsOptions().noise, 0.5);
  EXPECT_EQ(LinTsOptions().rounds, 10'000U);
  EXPECT_EQ(LinUcbOptions().ridge, 1.0);
  EXPECT_EQ(LinUcbOptions().width, 1.0);
  EXPECT_EQ(LinUcbOptions().noise, 0.5);
  EXPECT_EQ(LinUcbOptions().rounds, 10'000U);
  EXPECT_EQ(LinEpsOptions().epsilon, 0.05);
  EXPECT_EQ(LinEpsOptions().ridge, 1.0);
  EXPECT_EQ(LinEpsOptions().rounds, 10'000U);
  EXPECT_EQ(LinFplOptions().noise_scale, 0.5);
  EXPECT_EQ(LinFplOptions().ridge, 1.0);
  EXPECT_EQ(LinEnsOptions().models, 30U);
  EXPECT_EQ(LinEnsOptions().sigma, 0.5);
  EXPECT_EQ(LinEnsOptions().ridge, 1.0);
  EXPECT_EQ(LinEnsOptions().perturbation_scale, 1.0);
  EXPECT_EQ(GlmTsOptions().ridge, 0.5);
  EXPECT_EQ(GlmEpsOptions().epsilon, 0.05);
  EXPECT_EQ(GlmEpsOptions().ridge, 0.5);
  EXPECT_EQ(LogFplOptions().noise_scale, 0.5);
  EXPECT_EQ(LogFplOptions().ridge, 0.5);
  EXPECT_EQ(GlmUcbOptions().ridge, 1.0);
  EXPECT_EQ(GlmUcbOptions().least_slope, 0.25);
  EXPECT_EQ(GlmUcbOptions().largest_slope, 0.25);
  EXPECT_EQ(GlmUcbOptions().reward_bound, 1.0);
  EXPECT_EQ(UcbGlmOptions().ridge, 1.0);
  EXPECT_EQ(UcbGlmOptions().sigma, 0.5);
  EXPECT_EQ(UcbGlmOptions().kappa, 0.25);
  EXPECT_EQ(LinearOptions().dimension, 10U);
  EXPECT_EQ(LinearOptions().arms, 100U);
  EXPECT_EQ(GlmProblemOptions().dimension, 10U);
  EXPECT_EQ(GlmProblemOptions().arms, 100U);
  EXPECT_EQ(GlmProblemOptions().radius, 1.5);
  EXPECT_EQ(MabOptions().arms, 10U);
  EXPECT_EQ(MabOptions().low, 0.25);
  EXPECT_EQ(MabOptions().high, 0.75);
  EXPECT_EQ(RewardOptions().concentration, 4.0);
  EXPECT_EQ(RewardOptions().width, 1.0);
}

TEST(PaperConstants, ExperimentsAreOfTenThousandRoundsOnAHundredInstances) {
  EXPECT_EQ(Experiment().rounds, 10'000U);
  EXPECT_EQ(Experiment().instances, 100U);
  EXPECT_EQ(Experiment().first_instance, 0U);
  EXPECT_EQ(Experiment().seed, 1U);
}

TEST(PaperConstants, VerdictsAreAtOnePercentAndSimilarMeansWithinAQuarter) {
  EXPECT_EQ(test_level, 0.01);
  EXPECT_EQ(better.below, 1.0);
  EXPECT_EQ(not_better.above, 1.0);
  EXPECT_EQ(similar.above, 0.8);
  EXPECT_EQ(similar.below, 1.25);
  EXPECT_EQ(competitive.below, 1.25);
  EXPECT_EQ(half.below, 0.5);
  // Student's quantile of 0.99 with 99 degrees of freedom, from tables.
  EXPECT_NEAR(critical_t(100), 2.36461, 5e-6);
  EXPECT_NEAR(critical_t(2), 31.8205, 5e-5);
}

// At d = 5, 10 and 20: claims 1 to 3b and 4 of linear bandits, 5a and 5b of logistic ones.
TEST(PaperConstants, ClaimsCompareTheseScalesAtTheseDimensions) {
  std::map<std::string, std::map<std::size_t, std::size_t>> comparisons;
  for (const Claim& claim : paper_claims())
    comparisons[claim.number][claim.dimension] = claim.comparisons.size();
  for (const std::size_t d : {5U, 10U, 20U}) {
    EXPECT_EQ(comparisons["1"][d], 3U);
    EXPECT_EQ(comparisons["2"][d], 3U);
    EXPECT_EQ(comparisons["3a"][d], 1U);
    EXPECT_EQ(comparisons["3b"][d], 1U);
    EXPECT_EQ(comparisons["4"][d], 3U);
    EXPECT_EQ(comparisons["5a"][d], 6U);
    EXPECT_EQ(comparisons["5b"][d], 2U);
  }
  EXPECT_EQ(comparisons.size(), 7U);
}

TEST(PaperConstants, ChecksOfTheAnalysisHaveTheseSizes) {
  const theory::VerifyOptions options;
  EXPECT_EQ(options.rounds, 1000U);
  EXPECT_EQ(options.runs, 200U);
  EXPECT_EQ(options.draws, 20'000U);
  EXPECT_EQ(options.confidence, 0.999);
  EXPECT_EQ(options.a, 1.0);
  EXPECT_EQ(options.ridge, 1.0);
}

TEST(PaperConstants, EvaluationsOfLogsHaveTheseLimits) {
  const logs::EvaluateOptions options;
  EXPECT_EQ(options.limits.clip, 10.0);
  EXPECT_EQ(options.limits.switch_at, 10.0);
  EXPECT_EQ(options.limits.shrinkage, 10.0);
  EXPECT_EQ(options.confidence, 0.95);
  EXPECT_EQ(options.ridge, 1.0);
  EXPECT_EQ(options.rewards.low, 0.0);
  EXPECT_EQ(options.rewards.high, 1.0);
  EXPECT_EQ(options.resamples, 0U);
  EXPECT_EQ(options.most_kept_rows, 4'194'304U);
}

}  // namespace
}  // namespace phe
