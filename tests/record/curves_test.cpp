#include "record/curves.hpp"

#include <gtest/gtest.h>

#include "support/toy.hpp"

namespace phe {
namespace {

TEST(Curves, AreTheMeanAndStandardErrorOverInstances) {
  const Registry registry = test::toy_registry();
  const Plan plan =
      Plan::create(
          {.problems = {"toy"}, .policies = {"toy", "toy:a=2"}, .rounds = 2, .instances = 2},
          registry)
          .value();
  Runs runs;
  for (const RunId& id : plan.runs()) {
    const double step = id.instance == 0 ? 1.0 : 3.0;
    runs[id] = {id, {step, 2 * step}, 0.25};
  }
  const auto curves = curves_of(plan, runs);
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[1].policy, 1U);
  EXPECT_DOUBLE_EQ(curves[0].regret[0].mean, 2.0);
  EXPECT_DOUBLE_EQ(curves[0].regret[0].standard_error, 1.0);  // sqrt(2) / sqrt(2 instances)
  EXPECT_DOUBLE_EQ(curves[0].final().mean, 4.0);
  EXPECT_DOUBLE_EQ(curves[0].final().standard_error, 2.0);
  EXPECT_DOUBLE_EQ(curves[0].seconds, 0.5);
  EXPECT_DOUBLE_EQ(curves[0].ns_per_round, 0.5e9 / 4);
}

TEST(ProblemLabel, LeavesOutDimensionAndArms) {
  const Registry registry = test::toy_registry();
  EXPECT_EQ(problem_label(registry.problem("toy").value()), "toy");
  EXPECT_EQ(problem_label(registry.problem("toy:d=7").value()), "toy");
  EXPECT_EQ(problem_label(registry.problem("toy:d=7,kind=odd").value()), "toy:kind=odd");
}

}  // namespace
}  // namespace phe
