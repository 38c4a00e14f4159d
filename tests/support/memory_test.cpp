#include "support/memory.hpp"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "phe/registry.hpp"
#include "spec/plan_memory.hpp"
#include "support/arms.hpp"

namespace phe {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Memory, LimitIsThatOfTheMachineOrLess) {
  const auto machine = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                       static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  EXPECT_LE(memory_limit(), machine);
  EXPECT_GT(memory_limit(), 1U << 20);
}

TEST(Memory, SizesAreWrittenForPeople) {
  EXPECT_EQ(bytes_text(512), "0.5 KiB");
  EXPECT_EQ(bytes_text(1.5 * 1024 * 1024), "1.5 MiB");
  EXPECT_EQ(bytes_text(8e11), "745.1 GiB");
  EXPECT_EQ(bytes_text(0x1p80), "1048576.0 EiB");
}

TEST(Memory, AnErrorNamesWhatIsNeededAndWhatThereIs) {
  EXPECT_TRUE(check_memory("arms", 1024, 1024).ok());
  EXPECT_EQ(check_memory("arms", 2048, 1024).error().message,
            "arms need about 2.0 KiB of memory, and there are 1.0 KiB");
}

TEST(Memory, AnEnsembleThatDoesNotFitIsRefused) {
  // 10^6 models of so many features that they alone take all memory; arms and matrices do not.
  const auto d = static_cast<std::size_t>(static_cast<double>(memory_limit()) / 8e6) + 1;
  if (d > 30'000) GTEST_SKIP() << "so much memory";
  const Arms arms = Arms::generate(1, d, [](auto, auto) { return 1.0; }).value();
  const auto made =
      Registry::built_in().policy("linens:M=1000000").value().make({arms, 10, RewardRange{}});
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message,
              AllOf(HasSubstr("linens: 1000000 models of"), HasSubstr("need about")));
}

TEST(Memory, AModelThatDoesNotFitIsRefusedByEveryPolicyThatHasOne) {
  // Eight matrices of d x d are twice as much as there is; a row of d is little.
  const auto d = static_cast<std::size_t>(std::sqrt(static_cast<double>(memory_limit()) / 32)) + 1;
  const Arms arms = Arms::generate(1, d, [](auto, auto) { return 1.0; }).value();
  const Registry registry = Registry::built_in();
  for (const auto& entry : registry.policies()) {
    const auto made = registry.policy(entry->name).value().make({arms, 10, RewardRange{}, true});
    const bool no_model =
        std::set<std::string>{"phe", "giro", "uniform", "ucb1", "klucb", "betats"}.contains(
            entry->name);
    ASSERT_EQ(made.ok(), no_model) << entry->name;
    if (no_model) continue;
    EXPECT_THAT(made.error().message,
                AllOf(HasSubstr(entry->name + ": models of 1 arms with " + std::to_string(d)),
                      HasSubstr("of memory, and there are")));
  }
}

TEST(PlanMemory, CountsAnInstanceForEachThread) {
  // An instance takes a third of all memory.
  const auto arms = static_cast<std::uint64_t>(static_cast<double>(memory_limit()) / 24 / 10'000);
  const Registry registry = Registry::built_in();
  Experiment experiment;
  experiment.problems = {"linear:d=10000,arms=" + std::to_string(arms)};
  experiment.policies = {"linphe"};
  const Plan plan = Plan::create(experiment, registry).value();
  EXPECT_TRUE(check_plan_memory(plan, 2, false).ok());
  EXPECT_THAT(check_plan_memory(plan, 4, false).error().message,
              AllOf(HasSubstr("4 instances"), HasSubstr(std::to_string(arms)), HasSubstr("GiB")));
  experiment.instances = 2;
  EXPECT_TRUE(check_plan_memory(Plan::create(experiment, registry).value(), 4, false).ok());
}

}  // namespace
}  // namespace phe
