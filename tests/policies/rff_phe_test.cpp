#include "policies/rff_phe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phe/lin_phe.hpp"
#include "policies/every_policy.hpp"
#include "policies/mapped_policy.hpp"

namespace phe::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The slow twin: LinPHE that is handed mapped features.
TEST(RffPhe, IsLinPheOnMappedFeaturesOnFixedArms) {
  const auto bandit =
      registry().problem("nonlinear:arms=20").value().problem->draw(StreamKey(2)).value();
  const FourierFeatures map(5, {.features = 30, .scale = 0.8, .linear = true, .weight = 0.1});
  auto twin = LinPhe::create(map.map(bandit->arms()).value(),
                             {.perturbation_scale = 1, .ridge = 0.3, .start = Start::prior})
                  .value();
  const auto policy = registry()
                          .policy("rffphe:features=30,scale=0.8,linear,a=1,ridge=0.3")
                          .value()
                          .make(PolicyContext::of(*bandit, 100))
                          .value();
  Rng rng(1), same(1);
  for (std::uint64_t t = 0; t < 200; ++t) {
    const ArmId arm = policy->select(rng);
    ASSERT_EQ(twin.select(same), arm);
    ASSERT_TRUE(policy->update(arm, bandit->reward(t, arm)).ok());
    ASSERT_TRUE(twin.update(arm, bandit->reward(t, arm)).ok());
  }
}

TEST(RffPhe, IsLinPheOnMappedFeaturesInContexts) {
  const FourierFeatures map(4, {.features = 24, .scale = 2});
  auto twin = LinPhe::create(24, {.perturbation_scale = 0.25, .centred = true}).value();
  const auto policy = registry()
                          .policy("rffphe:features=24,scale=2,linear=false,a=0.25,ridge=1,centred")
                          .value()
                          .make({Arms::none(4), 100, RewardRange{}})
                          .value();
  Rng rng(1), same(1);
  for (std::uint64_t t = 0; t < 100; ++t) {
    std::vector<double> x(6 * 4), phi(6 * 24);
    Rng words(StreamKey(5).with(t));
    for (double& value : x) value = 2 * to_unit(words()) - 1;
    for (std::size_t k = 0; k < 6; ++k)
      map.map(std::span(x).subspan(4 * k, 4), std::span(phi).subspan(24 * k, 24));
    const auto chosen = policy->select(Actions::rows(6, x), rng).value();
    ASSERT_EQ(twin.select(Actions::rows(6, phi), same).value(), chosen);
    const double reward = to_unit(words());
    ASSERT_TRUE(policy->update(std::span(x).subspan(4 * chosen, 4), reward).ok());
    ASSERT_TRUE(twin.update(std::span(phi).subspan(24 * chosen, 24), reward).ok());
  }
}

TEST(RffPhe, RefusesWhatItCannotMapAndSaysSoInTheUsersFeatures) {
  const auto policy = registry()
                          .policy("rffphe:features=24")
                          .value()
                          .make({Arms::none(4), 100, RewardRange{}})
                          .value();
  Rng rng(1);
  const std::vector<double> short_rows(7), bad = {0, 1, std::nan(""), 3};
  EXPECT_THAT(
      policy->select(Actions::rows(2, short_rows), rng).error().message,
      AllOf(HasSubstr("rffphe"), HasSubstr("2 actions of 4 features need 8 numbers, got 7")));
  EXPECT_THAT(policy->select(Actions::rows(1, bad), rng).error().message,
              HasSubstr("action 0, feature 2: must be finite, got nan"));
  EXPECT_THAT(policy->update(bad, 1.0).error().message, HasSubstr("feature 2"));
  EXPECT_THAT(policy->update(short_rows, 1.0).error().message,
              HasSubstr("there must be 4 features, got 7"));
}

TEST(RffPhe, RefusesOptionsThatCannotBe) {
  const auto error = [](const std::string& spec) {
    const auto made = registry().policy(spec).value().make({Arms::none(4), 100, RewardRange{}});
    return made ? "no error" : made.error().message;
  };
  EXPECT_THAT(error("rffphe:features=0"), HasSubstr("features must be between 1 and 20000, got 0"));
  EXPECT_THAT(error("rffphe:scale=0"), HasSubstr("scale must be > 0"));
  EXPECT_THAT(error("rffphe:weight=0"), HasSubstr("weight must be > 0"));
  EXPECT_THAT(error("rffphe:ridge=-1"), HasSubstr("ridge must be > 0"));
  EXPECT_THAT(error("rffphe:start=basis"), HasSubstr("start=basis needs fixed arms"));
}

TEST(RffPhe, AStateOfOtherRandomFeaturesIsRefused) {
  const auto made = [](const std::string& spec) {
    return registry().policy(spec).value().make({Arms::none(4), 100, RewardRange{}}).value();
  };
  const std::string state = made("rffphe:features=8")->save().value();
  EXPECT_TRUE(made("rffphe:features=8")->load(state).ok());
  for (const char* other : {"rffphe:features=8,draw=2", "rffphe:features=8,scale=3",
                            "rffphe:features=8,weight=0.5", "rffphe:features=8,orthogonal"})
    EXPECT_FALSE(made(other)->load(state).ok()) << other;
}

}  // namespace
}  // namespace phe::test
