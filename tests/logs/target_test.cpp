#include "logs/target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace phe::logs {
namespace {

using testing::ElementsAre;

Decision decision(std::size_t action, std::size_t slot, std::size_t actions) {
  Decision d;
  d.action = action;
  d.slot = slot;
  d.actions = actions;
  return d;
}

TEST(Target, ATableHasARowForEachPosition) {
  const auto target = make_table_target({{}, {0.25, 0.75}, {0.5, 0.5}, {1.0, 0.0}});
  EXPECT_EQ(target->probability(decision(1, 1, 0)).value(), 0.75);
  EXPECT_EQ(target->probability(decision(1, 2, 2)).value(), 0.5);
  EXPECT_THAT(target->probabilities(decision(0, 3, 0)).value(), ElementsAre(1.0, 0.0));
  EXPECT_EQ(target->largest_probability(), 1.0);
  EXPECT_EQ(target->probability(decision(0, 0, 0)).error().message,
            "the target knows nothing of position 0");
  EXPECT_EQ(target->probability(decision(0, 4, 0)).error().message,
            "the target knows nothing of position 4");
  EXPECT_EQ(target->probability(decision(2, 1, 0)).error().message,
            "unknown action 2: the target knows 2");
  EXPECT_EQ(target->probability(decision(0, 1, 3)).error().message,
            "there are 3 actions, but the target knows 2");
}

TEST(Target, UniformFollowsTheNumberOfActionsOfEachPage) {
  const auto target = make_uniform_target(0);
  EXPECT_EQ(target->probability(decision(0, 0, 4)).value(), 0.25);
  EXPECT_THAT(target->probabilities(decision(0, 0, 2)).value(), ElementsAre(0.5, 0.5));
  EXPECT_FALSE(target->largest_probability().has_value());
  EXPECT_EQ(make_uniform_target(8)->largest_probability(), 0.125);
}

TEST(Target, AlwaysIsOneActionWhereItIsOffered) {
  const auto target = make_always_target(2);
  EXPECT_EQ(target->probability(decision(2, 0, 3)).value(), 1.0);
  EXPECT_EQ(target->probability(decision(1, 0, 3)).value(), 0.0);
  EXPECT_THAT(target->probabilities(decision(0, 0, 3)).value(), ElementsAre(0.0, 0.0, 1.0));
  EXPECT_FALSE(target->probabilities(decision(0, 0, 2)).ok());
}

}  // namespace
}  // namespace phe::logs
