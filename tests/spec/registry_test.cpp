#include "phe/registry.hpp"

#include <gtest/gtest.h>

#include "spec/check_policies.hpp"
#include "support/toy.hpp"

namespace phe {
namespace {

PolicyContext context() { return {Arms::from_rows({{1.0}, {2.0}}).value(), 10, RewardRange{}}; }

TEST(Registry, FindsWhatWasAdded) {
  const Registry registry = test::toy_registry();
  const auto policy = registry.policy("toy:a=2");
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  EXPECT_EQ(policy->text, "toy:a=2");
  EXPECT_EQ(policy->make(context()).value()->name(), "toy");
  const auto problem = registry.problem("toy:d=5");
  ASSERT_TRUE(problem.ok()) << problem.error().message;
  EXPECT_EQ(problem->problem->dimension(), 5U);
}

TEST(Registry, ReplacesAnEntryOfTheSameName) {
  Registry registry = test::toy_registry();
  registry.add(PolicyEntry{"toy", "another", {}, nullptr});
  ASSERT_EQ(registry.policies().size(), 1U);
  EXPECT_EQ(registry.policies().front()->summary, "another");
}

TEST(Registry, NamesTheNearestAndAllValidNames) {
  const Registry registry = test::toy_registry();
  EXPECT_EQ(registry.policy("tyo:a=1").error().message,
            "no policy is called 'tyo'; did you mean 'toy'? (policies: toy)");
  EXPECT_EQ(registry.problem("banana").error().message,
            "no problem is called 'banana' (problems: toy)");
  EXPECT_EQ(registry.policy("").error().message, "no policy is called '' (policies: toy)");
}

TEST(Registry, QuotesWhatWasTypedOnOneLine) {
  EXPECT_EQ(test::toy_registry().policy("ba\nna\x1b[31mna").error().message,
            "no policy is called 'ba?na?[31mna' (policies: toy)");
}

TEST(Registry, TellsAValueThatAProblemCannotRead) {
  EXPECT_EQ(test::toy_registry().problem("toy:d=-1").error().message,
            "problem toy: d must be a whole number, 0 or more, got '-1'");
}

TEST(PolicySpec, TellsAnUnreadableValueBeforeWhatThePolicySays) {
  const Registry registry = test::toy_registry();
  EXPECT_EQ(registry.policy("toy:a=x")->make(context()).error().message,
            "policy toy: a must be a number, got 'x'");
  EXPECT_EQ(registry.policy("toy:a=0")->make(context()).error().message,
            "toy: a must be > 0, got 0");
}

TEST(CheckPolicies, TellsAPolicyThatCannotBeMadeBeforeTheFirstRun) {
  const Registry registry = test::toy_registry();
  const auto good = Plan::create({.problems = {"toy"}, .policies = {"toy"}}, registry);
  ASSERT_TRUE(good.ok());
  EXPECT_TRUE(check_policies(good.value()).ok());
  const auto bad = Plan::create({.problems = {"toy"}, .policies = {"toy", "toy:a=-1"}}, registry);
  ASSERT_TRUE(bad.ok());
  EXPECT_EQ(check_policies(bad.value()).error().message, "toy: a must be > 0, got -1");
}

TEST(CheckPolicies, LooksAtTheInstanceThatTheFirstRunWillHave) {
  // The problem refuses every instance but the first of seed 7.
  Registry registry = test::toy_registry();
  const StreamKey first = StreamKey(7).with("picky").with(std::uint64_t{3});
  class Picky final : public Problem {
   public:
    explicit Picky(StreamKey only) : only_(only) {}
    [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override {
      if (key.value() != only_.value()) return invalid("another instance");
      return test::ToyProblem(2).draw(key);
    }
    [[nodiscard]] std::size_t dimension() const noexcept override { return 2; }
    [[nodiscard]] std::size_t arms() const noexcept override { return 3; }

   private:
    StreamKey only_;
  };
  registry.add(ProblemEntry{"picky", "", {}, [&](Parameters&) {
                              return Result<std::unique_ptr<const Problem>>(
                                  std::make_unique<const Picky>(first));
                            }});
  const auto plan = Plan::create(
      {.problems = {"picky"}, .policies = {"toy"}, .first_instance = 3, .seed = 7}, registry);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  const auto checked = check_policies(plan.value());
  EXPECT_TRUE(checked.ok()) << checked.error().message;
}

}  // namespace
}  // namespace phe
