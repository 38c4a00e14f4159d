#include "report/growing.hpp"

#include <gtest/gtest.h>

#include "record/curves.hpp"
#include "report/paired.hpp"
#include "support/toy.hpp"

namespace phe {
namespace {

class GrowingTest : public testing::Test {
 protected:
  GrowingTest()
      : plan_(Plan::create({.problems = {"toy:d=2", "toy:d=3"},
                            .policies = {"toy:a=1", "toy:a=2", "toy:a=3"},
                            .rounds = 10,
                            .instances = 4,
                            .first_instance = 7,
                            .checkpoints = "2"},
                           registry_)
                  .value()) {
    Rng rng(StreamKey(3));
    for (const RunId& id : plan_.runs()) {
      const double first = to_unit(rng());
      runs_[id] = {id, {first, first + to_unit(rng())}, 0.0};
    }
  }

  Registry registry_ = test::toy_registry();
  Plan plan_;
  Runs runs_;
};

TEST_F(GrowingTest, OfAllRunsTheyAreTheCurvesOfTheReport) {
  const auto wanted = curves_of(plan_, runs_);
  const auto found = growing_curves(plan_, runs_);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].problem, wanted[i].problem);
    EXPECT_EQ(found[i].policy, wanted[i].policy);
    EXPECT_EQ(found[i].instances, 4U);
    ASSERT_EQ(found[i].regret.size(), 2U);
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_EQ(found[i].regret[c].mean, wanted[i].regret[c].mean);
      EXPECT_EQ(found[i].regret[c].standard_error, wanted[i].regret[c].standard_error);
    }
  }
}

TEST_F(GrowingTest, OfAllRunsTheyAreThePairedDifferencesOfTheReport) {
  const std::vector<std::size_t> policies = {0, 1, 2};
  const auto wanted = paired_differences(plan_, runs_, pairs_with(policies, 1), 0.95);
  const auto found = growing_differences(plan_, runs_, 1, 0.95);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].problem, wanted[i].problem);
    EXPECT_EQ(found[i].policy, wanted[i].policy);
    EXPECT_NEAR(found[i].regret.back().mean, wanted[i].difference, 1e-12);
    EXPECT_NEAR(found[i].low, wanted[i].low, 1e-12);
    EXPECT_NEAR(found[i].high, wanted[i].high, 1e-12);
  }
}

TEST_F(GrowingTest, OfSomeRunsTheyAreOverTheInstancesThatAreThere) {
  runs_.erase({0, 0, 8});
  runs_.erase({0, 1, 9});
  for (std::uint64_t i = 7; i < 11; ++i) runs_.erase({1, 2, i});
  const auto curves = growing_curves(plan_, runs_);
  EXPECT_EQ(curves[0].instances, 3U);
  EXPECT_EQ(curves[1].instances, 3U);
  EXPECT_EQ(curves[5].instances, 0U);
  EXPECT_TRUE(curves[5].regret.empty());
  const auto differences = growing_differences(plan_, runs_, 1, 0.95);
  EXPECT_EQ(differences[0].instances, 2U);  // 7 and 10: both policies have done these
  const double by_hand = (runs_[{0, 0, 7}].regret[1] - runs_[{0, 1, 7}].regret[1] +
                          runs_[{0, 0, 10}].regret[1] - runs_[{0, 1, 10}].regret[1]) /
                         2.0;
  EXPECT_NEAR(differences[0].regret.back().mean, by_hand, 1e-14);
  EXPECT_EQ(differences[3].instances, 0U);
  EXPECT_TRUE(differences[3].regret.empty());
}

}  // namespace
}  // namespace phe
