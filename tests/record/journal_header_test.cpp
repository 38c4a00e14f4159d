#include "record/journal_header.hpp"

#include <gtest/gtest.h>

#include "phe/draw_revision.hpp"
#include "phe/version.hpp"
#include "support/sha256.hpp"
#include "support/temporary_folder.hpp"

namespace phe {
namespace {

const std::string arms_digest(64, 'a');
const std::string theta_digest(64, 'b');
const std::string other_digest(64, 'c');

JournalHeader header() {
  return {
      .version = "0.1.0",
      .draws = 3,
      .experiment = {.problems = {"linear:features=arms.csv,theta=theta.csv"},
                     .policies = {"linphe:a=1", "linphe:a=2"},
                     .rounds = 4,
                     .instances = 3,
                     .first_instance = 10},
      .problem_names = {"linear:features=sha256:" + arms_digest + ",theta=sha256:" + theta_digest},
      .policy_names = {"linphe:a=1", "linphe:a=2"},
      .inputs = {{"arms.csv", arms_digest}, {"theta.csv", theta_digest}},
      .checkpoints = {2, 4}};
}

TEST(JournalHeader, AdmitsOnlyRunsOfItsExperiment) {
  const auto admits = [](std::size_t problem, std::size_t policy, std::uint64_t instance,
                         std::size_t checkpoints) {
    return header().admits({{problem, policy, instance}, std::vector<double>(checkpoints), 0.0});
  };
  EXPECT_TRUE(admits(0, 1, 10, 2));
  EXPECT_TRUE(admits(0, 0, 12, 2));
  EXPECT_FALSE(admits(1, 0, 10, 2));
  EXPECT_FALSE(admits(0, 2, 10, 2));
  EXPECT_FALSE(admits(0, 0, 9, 2));
  EXPECT_FALSE(admits(0, 0, 13, 2));
  EXPECT_FALSE(admits(0, 0, 10, 1));
}

TEST(JournalHeader, AdmitsColumnsWhereTheExperimentAsksForThem) {
  JournalHeader with = header();
  with.experiment.columns = {"best_pulls"};
  RunResult run{{0, 0, 10}, {1.0, 2.0}, 0.0};
  EXPECT_FALSE(with.admits(run));
  run.best_pulls = {1, 2};
  EXPECT_TRUE(with.admits(run));
  EXPECT_FALSE(header().admits(run));
  run.reward = {1.0, 2.0};
  EXPECT_FALSE(with.admits(run));
  run.reward.clear();
  run.best_pulls = {1};
  EXPECT_FALSE(with.admits(run));
}

TEST(JournalHeader, SaysWhatDiffers) {
  JournalHeader other = header();
  EXPECT_EQ(difference(header(), other), "");
  other.experiment.seed = 7;
  EXPECT_EQ(difference(header(), other), "its seed is 1, this one's 7");
  other.experiment.rounds = 500;
  EXPECT_EQ(difference(header(), other), "its rounds is 4, this one's 500");
}

TEST(JournalHeader, SaysThatCheckpointsOrColumnsDiffer) {
  JournalHeader other = header();
  other.experiment.columns = {"reward"};
  EXPECT_EQ(difference(header(), other), "its columns are none, this one's reward");
  other.checkpoints = {1, 2, 3, 4};
  other.experiment.checkpoints = "all";
  EXPECT_EQ(difference(header(), other),
            "its checkpoints are 100 (2 rounds), this one's all (4 rounds)");
  JournalHeader one = header();
  one.experiment.columns = {"reward", "best_pulls"};
  JournalHeader two = header();
  two.experiment.columns = {"best_pulls", "reward"};
  EXPECT_EQ(difference(one, two), "");
}

TEST(JournalHeader, DoesNotMindOtherProblemsPoliciesAndInstances) {
  JournalHeader other = header();
  other.experiment.problems = {"linear:d=5"};
  other.problem_names = {"linear:d=5"};
  other.experiment.policies = other.policy_names = {"lints"};
  other.inputs.clear();
  other.experiment.instances = 9;
  other.experiment.first_instance = 0;
  EXPECT_EQ(difference(header(), other), "");
}

TEST(JournalHeader, SaysWhichFileHasAnotherContent) {
  JournalHeader other = header();
  other.problem_names = {"linear:features=sha256:" + arms_digest + ",theta=sha256:" + other_digest};
  other.inputs[1].sha256 = other_digest;
  EXPECT_EQ(difference(header(), other),
            "the content of theta.csv differs (SHA-256 bbbbbbbbbbbbbbbb.., here "
            "cccccccccccccccc..)");
}

TEST(JournalHeader, DoesNotMindWhereAFileLiesOrWhichVersionBegan) {
  JournalHeader other = header();
  other.version = "9.9";
  other.experiment.problems = {"linear:features=/data/arms.csv,theta=./theta.csv"};
  other.inputs = {{"/data/arms.csv", arms_digest}, {"./theta.csv", theta_digest}};
  EXPECT_EQ(difference(header(), other), "");
}

TEST(JournalHeader, SaysThatTheDrawsAreOfAnotherRevision) {
  JournalHeader other = header();
  other.version = "9.9";
  other.draws = 4;
  EXPECT_EQ(difference(header(), other),
            "its draws are of revision 3 (phe 0.1.0), this one's of revision 4 (phe 9.9)");
}

TEST(JournalHeader, OfAPlanHoldsItsFilesAndTheRevisionOfTheDraws) {
  const test::TemporaryFolder folder;
  test::put(folder / "arms.csv", "0.5,1\n0,1\n");
  test::put(folder / "theta.csv", "0.1,0.5\n");
  const Registry registry = Registry::built_in();
  const auto plan = Plan::create({.problems = {"linear:features=arms.csv,theta=theta.csv"},
                                  .policies = {"linphe"},
                                  .rounds = 4},
                                 registry, [&](const auto& name) { return folder / name; });
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  const JournalHeader made = JournalHeader::of(plan.value());
  EXPECT_EQ(made.version, version);
  EXPECT_EQ(made.draws, draw_revision);
  EXPECT_EQ(made.problem_names[0], "linear:features=sha256:" + sha256("0.5,1\n0,1\n") +
                                       ",theta=sha256:" + sha256("0.1,0.5\n"));
  ASSERT_EQ(made.inputs.size(), 2U);
  EXPECT_EQ(made.inputs[1].name, "theta.csv");
  EXPECT_EQ(made.inputs[1].sha256, sha256("0.1,0.5\n"));
}

}  // namespace
}  // namespace phe
