#include "xgboost/xgb_phe.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phe/oracle_phe.hpp"
#include "policies/every_policy.hpp"

namespace phe::test {
namespace {

using ::testing::HasSubstr;

// Rows of one feature with a step at 0.3: 0 below it, 1 above.
struct StepRows {
  StepRows() {
    for (int i = 0; i < 40; ++i) {
      features.push_back(i / 40.0);
      sums.push_back(i / 40.0 > 0.3 ? 2.0 : 0.0);
    }
  }
  [[nodiscard]] PerturbedRows view() const {
    return PerturbedRows({.features = features.data(),
                          .dimension = 1,
                          .stride = 1,
                          .counts = counts,
                          .reward_sums = sums,
                          .weights = weights,
                          .perturbed_sums = sums,
                          .copies = counts});
  }
  std::vector<double> features, sums;
  std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(40, 1);
  std::vector<double> weights = std::vector<double>(40, 2.0);
};

std::vector<double> scores_of(Oracle& oracle, const std::vector<double>& x) {
  std::vector<double> scores;
  const auto scored = oracle.score(Actions::rows(x.size(), x), scores);
  EXPECT_TRUE(scored.ok());
  return scores;
}

TEST(BoostedTrees, LearnAStepFromWeightedMeans) {
  const auto oracle = boosted_trees({})();
  const StepRows rows;
  Rng rng(1);
  ASSERT_TRUE(oracle->fit(rows.view(), rng).ok());
  const auto scores = scores_of(*oracle, {0.05, 0.25, 0.35, 0.95});
  EXPECT_NEAR(scores[0], 0.0, 0.05);
  EXPECT_NEAR(scores[1], 0.0, 0.05);
  EXPECT_NEAR(scores[2], 1.0, 0.05);
  EXPECT_NEAR(scores[3], 1.0, 0.05);
}

TEST(BoostedTrees, OfTheSameRowsAreTheSame) {
  const auto one = boosted_trees({.trees = 20})();
  const auto other = boosted_trees({.trees = 20})();
  const StepRows rows;
  Rng rng(1), same(1);
  ASSERT_TRUE(one->fit(rows.view(), rng).ok());
  ASSERT_TRUE(other->fit(rows.view(), same).ok());
  const std::vector<double> x = {-1e300, 0.1, 0.29, 0.31, 1e300};
  EXPECT_EQ(scores_of(*one, x), scores_of(*other, x));
}

TEST(BoostedTrees, AWeightOfTwoIsTwoRows) {
  // lambda and the least weight of a leaf are in the unit of weights. So is the gain of a split,
  // and XGBoost makes none of a gain below 1e-6: values may differ by its root.
  StepRows heavy;
  const auto one = boosted_trees({.ridge = 2, .child_weight = 2})();
  const auto other = boosted_trees({.ridge = 1, .child_weight = 1})();
  StepRows light;
  std::ranges::fill(light.weights, 1.0);
  for (double& sum : light.sums) sum /= 2;
  Rng rng(1), same(1);
  ASSERT_TRUE(one->fit(heavy.view(), rng).ok());
  ASSERT_TRUE(other->fit(light.view(), same).ok());
  const std::vector<double> x = {0.1, 0.29, 0.31};
  const auto a = scores_of(*one, x), b = scores_of(*other, x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-3);
}

TEST(XgbPhe, FindsTheStepThatALinearModelCannot) {
  Play bandit({"xgbphe:trees=10,refit=x1.3,fits=4", "nonlinear:shape=steps,arms=10,contexts"});
  const auto policy = bandit.policy();
  Rng rng(1);
  double early = 0, late = 0;
  for (std::uint64_t t = 0; t < 1200; ++t) {
    const auto step = bandit.select(*policy, t, rng);
    const auto& means = bandit.offered().means;
    const double gap = *std::ranges::max_element(means) - means[step.choice];
    if (t < 200) early += gap;
    if (t >= 1000) late += gap;
    ASSERT_TRUE(bandit.update(*policy, step).ok());
  }
  EXPECT_LT(late, 0.6 * early);
}

TEST(XgbPhe, RefusesWhatCannotBe) {
  const auto error = [](const std::string& spec) {
    const auto made = registry().policy(spec).value().make({Arms::none(3), 10, RewardRange{}});
    return made ? "no error" : made.error().message;
  };
  EXPECT_EQ(error("xgbphe:refit=1"), "no error");
  EXPECT_EQ(error("xgbphe:refit=x1.5"), "no error");
  for (const char* refit : {"0", "x1", "x", "y2", "-3", "1.5"})
    EXPECT_THAT(error(std::string("xgbphe:refit=") + refit), HasSubstr("refit")) << refit;
  EXPECT_THAT(error("xgbphe:trees=0"), HasSubstr("trees must be between 1 and 10000, got 0"));
  EXPECT_THAT(error("xgbphe:depth=17"), HasSubstr("depth must be between 1 and 16, got 17"));
  EXPECT_THAT(error("xgbphe:rate=0"), HasSubstr("rate must be > 0"));
  EXPECT_THAT(error("xgbphe:ridge=1e-40"), HasSubstr("ridge must be between 1e-30 and 1e+30"));
  EXPECT_THAT(error("xgbphe:fits=0"), HasSubstr("fits must be between 1"));
}

}  // namespace
}  // namespace phe::test
