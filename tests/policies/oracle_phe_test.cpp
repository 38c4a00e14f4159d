#include "phe/oracle_phe.hpp"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phe/lin_phe.hpp"
#include "support/allocations.hpp"
#include "support/arms.hpp"
#include "support/oracles.hpp"
#include "support/statistics.hpp"

namespace phe::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Fault = Conduct::Fault;

MakeOracle ridge_oracle(double ridge, Eigen::VectorXd* theta) {
  return [=] { return std::make_unique<RidgeOracle>(ridge, false, theta); };
}
MakeOracle conducted(Conduct& conduct) {
  return [&conduct] { return std::make_unique<ConductedOracle>(conduct); };
}

// A reward in [0, 1] that depends on the round alone.
double reward_of(std::uint64_t round) { return to_unit(StreamKey(7).with(round).value()); }

// The features of a round's actions.
std::vector<double> offer(std::uint64_t round, std::size_t count, std::size_t d) {
  SplitMix words(StreamKey(8).with(round));
  std::vector<double> features(count * d);
  for (double& x : features) x = 2.0 * to_unit(words()) - 1.0;
  return features;
}

// p-values below 1e-4 would come once in 500 runs of these 20 comparisons, were the seeds free.
constexpr double least_p = 1e-4;

void expect_same_law(const std::vector<std::vector<double>>& x,
                     const std::vector<std::vector<double>>& y) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    EXPECT_GT(two_sample_p_value(x[j], y[j]), least_p) << "entry " << j;
    // Entries go together in the same way: z of the difference of two correlations (Fisher).
    const double mine = std::atanh(correlation(x[0], x[j == 0 ? 1 : j]));
    const double theirs = std::atanh(correlation(y[0], y[j == 0 ? 1 : j]));
    EXPECT_LT(std::abs(mine - theirs), 4.5 * std::sqrt(2.0 / static_cast<double>(x[j].size())));
  }
}

TEST(OraclePhe, WithARidgeOracleIsLinPheInLawOnFixedArms) {
  constexpr std::size_t d = 3;
  constexpr int draws = 3000;
  for (const double a : {1.0, 1.5, 2.0}) {
    const Arms arms = normal_arms(6, d, 4);
    Eigen::VectorXd theta;
    auto oracle = OraclePhe::create(arms, "ridge", ridge_oracle((a + 1) * 0.7, &theta),
                                    {.perturbation_scale = a})
                      .value();
    auto linear =
        LinPhe::create(arms, {.perturbation_scale = a, .ridge = 0.7, .gram = Gram::authors})
            .value();
    for (std::uint64_t t = 0; t < 40; ++t) {
      const auto arm = static_cast<ArmId>(StreamKey(3).with(t).value() % arms.size());
      ASSERT_TRUE(oracle.update(arm, reward_of(t)).ok());
      ASSERT_TRUE(linear.update(arm, reward_of(t)).ok());
    }
    Rng rng(1);
    std::vector<std::vector<double>> mine(d), theirs(d);
    for (int i = 0; i < draws; ++i) {
      ASSERT_LT(oracle.select(rng), arms.size());
      linear.fit(rng);
      for (std::size_t j = 0; j < d; ++j) {
        mine[j].push_back(theta[static_cast<Eigen::Index>(j)]);
        theirs[j].push_back(linear.estimate()[j]);
      }
    }
    expect_same_law(mine, theirs);
  }
}

TEST(OraclePhe, WithARidgeOracleIsLinPheInLawInContexts) {
  constexpr std::size_t d = 3;
  constexpr int draws = 3000;
  for (const bool centred : {false, true}) {
    for (const double a : {0.5, 1.0}) {
      Eigen::VectorXd theta;
      auto oracle = OraclePhe::create(d, "ridge", ridge_oracle((a + 1) * 0.7, &theta),
                                      {.perturbation_scale = a, .centred = centred})
                        .value();
      auto linear =
          LinPhe::create(
              d,
              {.perturbation_scale = a, .ridge = 0.7, .centred = centred, .start = Start::random})
              .value();
      Rng rng(2);
      for (std::uint64_t t = 0; t < 30; ++t) {
        const auto x = offer(t % 20, 1, d);  // some rows come twice
        ASSERT_TRUE(oracle.update(x, reward_of(t)).ok());
        ASSERT_TRUE(linear.update(x, reward_of(t)).ok());
      }
      std::vector<std::vector<double>> mine(d), theirs(d);
      const auto x = offer(99, 4, d);
      for (std::size_t t = 0; t < d; ++t)  // the random rounds
        ASSERT_TRUE(oracle.select(Actions::rows(4, x), rng).ok());
      for (int i = 0; i < draws; ++i) {
        ASSERT_TRUE(oracle.select(Actions::rows(4, x), rng).ok());
        linear.fit(rng);
        for (std::size_t j = 0; j < d; ++j) {
          mine[j].push_back(theta[static_cast<Eigen::Index>(j)]);
          theirs[j].push_back(linear.estimate()[j]);
        }
      }
      expect_same_law(mine, theirs);
    }
  }
}

// The same choices: a ridge that counts each example once needs no weights. In contexts a row that
// was seen T times stands for T examples of weight 1 + a, so the ridge is smaller by that factor.
TEST(OraclePhe, ReplicatedAndWeightedRowsAgree) {
  constexpr std::size_t d = 4;
  const Arms arms = normal_arms(9, d, 5);
  for (const double a : {0.3, 1.0, 1.5}) {
    const auto policy = [&](bool contexts, bool replicated) {
      const double ridge = contexts && replicated ? 0.5 / (1 + a) : 0.5;
      const MakeOracle make = [=] { return std::make_unique<RidgeOracle>(ridge, replicated); };
      return OraclePhe::create(contexts ? Arms::none(d) : arms, "ridge", make,
                               {.perturbation_scale = a})
          .value();
    };
    for (const bool contexts : {false, true}) {
      auto weighted = policy(contexts, false);
      auto replicated = policy(contexts, true);
      Rng rng(3), same(3);
      for (std::uint64_t t = 0; t < 120; ++t) {
        if (contexts) {
          const auto x = offer(t % 30, 5, d);
          const auto chosen = weighted.select(Actions::rows(5, x), rng).value();
          ASSERT_EQ(replicated.select(Actions::rows(5, x), same).value(), chosen) << t;
          const auto row = std::span(x).subspan(chosen * d, d);
          ASSERT_TRUE(weighted.update(row, reward_of(t)).ok());
          ASSERT_TRUE(replicated.update(row, reward_of(t)).ok());
        } else {
          const ArmId chosen = weighted.select(rng);
          ASSERT_EQ(replicated.select(same), chosen) << t;
          ASSERT_TRUE(weighted.update(chosen, reward_of(t)).ok());
          ASSERT_TRUE(replicated.update(chosen, reward_of(t)).ok());
        }
      }
    }
  }
}

TEST(OraclePhe, ReplicatesARewardAndItsWholePseudoRewardsWithFixedArms) {
  // 3 pulls at a = 1.5: 5 pseudo-rewards, so 8 examples.
  class Counting final : public Oracle {
   public:
    Result<void> fit(const PerturbedRows& rows, Rng&) override {
      std::vector<Example> examples;
      replicate(rows, examples);
      EXPECT_EQ(rows.size(), 1U);
      EXPECT_EQ(rows[0].count, 3U);
      EXPECT_DOUBLE_EQ(rows[0].reward_sum, 1.25);
      EXPECT_DOUBLE_EQ(rows[0].weight, 8.0);
      EXPECT_EQ(examples.size(), 8U);
      const double pseudo = rows[0].perturbed_sum - 1.25;
      EXPECT_TRUE(pseudo >= 0 && pseudo <= 5 && pseudo == std::round(pseudo)) << pseudo;
      for (const Example& example : examples)
        EXPECT_DOUBLE_EQ(example.value, rows[0].perturbed_sum / 8);
      return {};
    }
    Result<void> score(const Actions& actions, std::vector<double>& scores) override {
      scores.assign(actions.count, 0.0);
      return {};
    }
  };
  auto policy = OraclePhe::create(Arms::from_rows({{1, 2}, {3, 4}}).value(), "counting",
                                  [] { return std::make_unique<Counting>(); },
                                  {.perturbation_scale = 1.5, .start = Start::none})
                    .value();
  Rng rng(1);
  for (const double reward : {0.25, 0.0, 1.0}) ASSERT_TRUE(policy.update(ArmId{1}, reward).ok());
  for (int i = 0; i < 20; ++i) ASSERT_LT(policy.select(rng), 2U);
}

struct Misconduct {
  Fault fault;
  std::string words;
};
class OracleFaults : public testing::TestWithParam<Misconduct> {};
INSTANTIATE_TEST_SUITE_P(
    All, OracleFaults,
    testing::Values(Misconduct{Fault::fit_throws, "fit threw: out of luck"},
                    Misconduct{Fault::fit_throws_a_number, "fit threw"},
                    Misconduct{Fault::fit_fails, "fit: no fit today"},
                    Misconduct{Fault::score_throws, "score threw: out of luck"},
                    Misconduct{Fault::score_fails, "score: no score today"},
                    Misconduct{Fault::nan, "score of action 3 must be finite, got nan"},
                    Misconduct{Fault::infinite, "score of action 0 must be finite, got inf"},
                    Misconduct{Fault::too_few, "score gave 3 numbers for 4 actions"},
                    Misconduct{Fault::too_many, "score gave 5 numbers for 4 actions"}));

TEST_P(OracleFaults, AreErrorsThatNameTheOracleAndLoseNothingOnFixedArms) {
  Conduct conduct;
  auto policy = OraclePhe::create(normal_arms(4, 2, 6), "odd", conducted(conduct), {}).value();
  Rng rng(1);
  for (std::uint64_t t = 0; t < 20; ++t)
    ASSERT_TRUE(policy.update(policy.select(rng), reward_of(t)).ok());
  const History before = policy.history();
  conduct.fault = GetParam().fault;
  EXPECT_EQ(policy.select(rng), no_arm);
  const auto words = AllOf(HasSubstr("oracle odd"), HasSubstr(GetParam().words));
  ASSERT_FALSE(policy.fault().ok());
  EXPECT_THAT(policy.fault().error().message, words);
  EXPECT_THAT(policy.update(no_arm, 1.0).error().message, words);
  Decision decision;
  EXPECT_THAT(policy.decide(rng, {}, decision).error().message, words);
  EXPECT_EQ(policy.history(), before);
  // It is asked again in the next round.
  conduct.fault = Fault::none;
  EXPECT_LT(policy.select(rng), 4U);
  EXPECT_TRUE(policy.fault().ok());
  EXPECT_EQ(conduct.rows.back(), 20U);
}

TEST_P(OracleFaults, AreErrorsThatNameTheOracleAndLoseNothingInContexts) {
  Conduct conduct;
  auto policy = OraclePhe::create(2, "odd", conducted(conduct), {.start = Start::none}).value();
  Rng rng(1);
  const auto x = offer(1, 4, 2);
  for (std::uint64_t t = 0; t < 20; ++t)
    ASSERT_TRUE(policy.update(offer(t, 1, 2), reward_of(t)).ok());
  conduct.fault = GetParam().fault;
  const auto words = AllOf(HasSubstr("oracle odd"), HasSubstr(GetParam().words));
  EXPECT_THAT(policy.select(Actions::rows(4, x), rng).error().message, words);
  Decision decision;
  EXPECT_THAT(policy.decide(Actions::rows(4, x), rng, {}, decision).error().message, words);
  conduct.fault = Fault::none;
  EXPECT_TRUE(policy.select(Actions::rows(4, x), rng).ok());
  EXPECT_EQ(conduct.rows.back(), 20U);
}

TEST(OraclePhe, AModelThatIsNotMadeIsAFault) {
  auto policy = OraclePhe::create(normal_arms(4, 2, 6), "none", [] { return nullptr; }).value();
  Rng rng(1);
  ASSERT_TRUE(policy.update(policy.select(rng), 1.0).ok());
  ASSERT_TRUE(policy.update(policy.select(rng), 1.0).ok());
  EXPECT_EQ(policy.select(rng), no_arm);
  EXPECT_THAT(policy.fault().error().message, HasSubstr("oracle none: fit: no model was made"));
}

// How often models were fitted in 64 rounds, two of which pull the basis, and to how many rewards.
Conduct played(Refit refit, std::uint64_t fits) {
  Conduct conduct;
  auto policy = OraclePhe::create(normal_arms(4, 2, 6), "odd", conducted(conduct),
                                  {.refit = refit, .fits = fits})
                    .value();
  Rng rng(1);
  for (std::uint64_t t = 0; t < 64; ++t)
    EXPECT_TRUE(policy.update(policy.select(rng), reward_of(t)).ok());
  return conduct;
}

TEST(OraclePhe, RefitsAsOftenAsItIsAsked) {
  const Conduct always = played(Refit::every(1), 5);
  EXPECT_EQ(always.fits, 62);
  EXPECT_EQ(always.made, 1);
  // With one model at a time the moments of a refit are seen exactly.
  EXPECT_THAT(played(Refit::every(20), 1).rows, testing::ElementsAre(2, 22, 42, 62));
  EXPECT_THAT(played(Refit::when_grown_by(2), 1).rows, testing::ElementsAre(2, 4, 8, 16, 32));
  EXPECT_THAT(played(Refit::when_grown_by(1.5), 1).rows,
              testing::ElementsAre(2, 3, 5, 8, 12, 18, 27, 41, 62));
}

TEST(OraclePhe, FitsNoMoreModelsThanItKeepsAndNoneThatIsNotAskedFor) {
  const Conduct kept = played(Refit::every(20), 3);
  EXPECT_EQ(kept.made, 3);
  EXPECT_THAT(std::set(kept.rows.begin(), kept.rows.end()), testing::ElementsAre(2, 22, 42, 62));
  EXPECT_LE(kept.fits, 3 * 3 + 2);  // the last two rounds ask for two at most
  EXPECT_GE(kept.fits, 3 * 3);      // 20 draws leave one of 3 out with probability 0.0009
  // Many models and few rounds: one fit a round at most.
  EXPECT_LE(played(Refit::every(20), 1000).fits, 62);
}

TEST(OraclePhe, ChoosesAtRandomBetweenRefits) {
  Conduct conduct;
  auto policy = OraclePhe::create(Arms::from_rows({{1, 0}, {-1, 0}}).value(), "odd",
                                  conducted(conduct), {.refit = Refit::every(1000), .fits = 16})
                    .value();
  ASSERT_TRUE(policy.update(ArmId{0}, 1.0).ok());
  ASSERT_TRUE(policy.update(ArmId{1}, 1.0).ok());
  Rng rng(1);
  static_cast<void>(policy.select(rng));
  std::vector<double> counts(2);
  for (int i = 0; i < 400; ++i) ++counts[policy.select(rng)];
  // The share of the 16 models, each of which prefers the one or the other with probability 1/2.
  EXPECT_GT(counts[0], 40);
  EXPECT_GT(counts[1], 40);
  Decision decision;
  ASSERT_TRUE(policy.decide(rng, {.draws = 16}, decision).ok());
  EXPECT_DOUBLE_EQ(decision.probabilities[0] + decision.probabilities[1], 1.0);
  EXPECT_EQ(conduct.fits, 16);
}

TEST(OraclePhe, ARestoredPolicyAndACopyFitTheSameModelsAgain) {
  Conduct conduct;
  const auto made = [&] {
    return OraclePhe::create(normal_arms(6, 3, 6), "odd", conducted(conduct),
                             {.refit = Refit::every(30), .fits = 4})
        .value();
  };
  auto policy = made();
  Rng rng(1);
  for (std::uint64_t t = 0; t < 50; ++t)
    ASSERT_TRUE(policy.update(policy.select(rng), reward_of(t)).ok());
  auto restored = made();
  ASSERT_TRUE(restored.load(policy.save().value()).ok());
  auto copy = policy;
  Rng of_restored = rng;
  Rng of_copy = rng;
  for (std::uint64_t t = 50; t < 120; ++t) {
    const ArmId arm = policy.select(rng);
    ASSERT_EQ(restored.select(of_restored), arm) << t;
    ASSERT_EQ(copy.select(of_copy), arm) << t;
    for (Policy* each : {&policy, &restored, &copy})
      ASSERT_TRUE(each->update(arm, reward_of(t)).ok());
  }
}

TEST(OraclePhe, MergesWhatTwoHaveLearnt) {
  Conduct conduct;
  const auto made = [&](const std::string& name) {
    return OraclePhe::create(2, name, conducted(conduct), {.start = Start::none}).value();
  };
  auto one = made("odd");
  auto two = made("odd");
  for (std::uint64_t t = 0; t < 12; ++t) {
    ASSERT_TRUE(one.update(offer(t, 1, 2), 0.0).ok());
    ASSERT_TRUE(two.update(offer(t + 6, 1, 2), 1.0).ok());
  }
  ASSERT_TRUE(one.merge(two).ok());
  Rng rng(1);
  const auto x = offer(50, 3, 2);
  ASSERT_TRUE(one.select(Actions::rows(3, x), rng).ok());
  EXPECT_EQ(conduct.rows.back(), 24U);
  EXPECT_EQ(conduct.perturbed_sums.size(), 18U);  // six rows were seen by both
  EXPECT_FALSE(one.merge(made("even")).ok());
}

TEST(OraclePhe, RefusesOptionsThatCannotBe) {
  Conduct conduct;
  const auto error = [&](const OraclePheOptions& options, const std::string& name = "odd") {
    const auto made = OraclePhe::create(2, name, conducted(conduct), options);
    return made ? "no error" : made.error().message;
  };
  EXPECT_EQ(error({}), "no error");
  EXPECT_THAT(error({}, ""), HasSubstr("must have a name"));
  EXPECT_THAT(error({.perturbation_scale = 0}), HasSubstr("0"));
  EXPECT_THAT(error({.fits = 0}), HasSubstr("fits must be between 1 and 10000, got 0"));
  EXPECT_THAT(error({.refit = Refit::when_grown_by(1.0)}), HasSubstr("above 1"));
  EXPECT_THAT(error({.rewards = {1, 0}}), HasSubstr("low < high"));
  EXPECT_THAT(error({.start = Start::basis}), HasSubstr("start=basis needs fixed arms"));
  EXPECT_THAT(error({.start = Start::prior}), HasSubstr("no prior"));
  const auto none = OraclePhe::create(2, "odd", nullptr);
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().message, HasSubstr("oracle odd"));
}

TEST(OraclePhe, ARoundOnFixedArmsDoesNotAllocateOfItself) {
  class Still final : public Oracle {
   public:
    Result<void> fit(const PerturbedRows&, Rng&) override { return {}; }
    Result<void> score(const Actions& actions, std::vector<double>& scores) override {
      scores.assign(actions.count, 0.0);
      return {};
    }
  };
  auto policy = OraclePhe::create(normal_arms(9, 3, 6), "still", [] {
                  return std::make_unique<Still>();
                }).value();
  Rng rng(1);
  for (ArmId arm = 0; arm < 9; ++arm) ASSERT_TRUE(policy.update(arm, 0.5).ok());
  const auto round = [&] { return policy.update(policy.select(rng), 0.5).ok(); };
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(round());
  const std::size_t before = allocations();
  for (int i = 0; i < 50; ++i) static_cast<void>(round());
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace phe::test
