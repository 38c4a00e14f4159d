#include "record/renumber.hpp"

#include <gtest/gtest.h>

namespace phe {
namespace {

// Problems p1 .. and policies q1 .., whose canonical names have a '*'.
JournalHeader header(const std::vector<std::string>& problems,
                     const std::vector<std::string>& policies, std::uint64_t first,
                     std::uint64_t instances) {
  JournalHeader made;
  made.experiment.problems = problems;
  made.experiment.policies = policies;
  made.experiment.first_instance = first;
  made.experiment.instances = instances;
  for (const std::string& name : problems) made.problem_names.push_back(name + "*");
  for (const std::string& name : policies) made.policy_names.push_back(name + "*");
  return made;
}

const JournalHeader whole = header({"p1", "p2"}, {"q1", "q2", "q3"}, 0, 10);

TEST(Renumber, NamesWhatIsLeftOut) {
  EXPECT_EQ(left_out(whole, whole), "");
  EXPECT_EQ(left_out(header({"p2"}, {"q3", "q1"}, 2, 8), whole), "");
  EXPECT_EQ(left_out(header({"p2", "p3"}, {"q4"}, 0, 10), whole), "problem p3");
  EXPECT_EQ(left_out(header({"p2"}, {"q1", "q4"}, 0, 10), whole), "policy q4");
  EXPECT_EQ(left_out(header({"p1"}, {"q1"}, 2, 9), whole), "instances 2 to 10");
  EXPECT_EQ(left_out(whole, header({"p1", "p2"}, {"q1", "q2", "q3"}, 1, 20)), "instances 0 to 9");
}

TEST(Renumber, GoesByCanonicalNames) {
  JournalHeader other = whole;
  other.experiment.policies = {"q1, as typed", "q2", "q3"};
  EXPECT_TRUE(same_lists(other, whole));
  EXPECT_EQ(left_out(other, whole), "");
  other.policy_names[0] = "q4*";
  EXPECT_FALSE(same_lists(other, whole));
}

TEST(Renumber, TakesPoliciesOfAnOlderJournalAsTheyWereTyped) {
  JournalHeader old = header({"p1"}, {"q3", "q2"}, 0, 10);
  old.policy_names = old.experiment.policies;
  EXPECT_EQ(left_out(old, whole), "");
  const Runs runs = renumbered({{{0, 0, 5}, {{0, 0, 5}, {1.0}, 0.0}}}, old, whole);
  EXPECT_TRUE(runs.contains({0, 2, 5}));
}

TEST(Renumber, MovesEachRunToItsNewPlace) {
  const JournalHeader part = header({"p2"}, {"q3", "q1"}, 2, 3);
  const Runs runs = renumbered(
      {{{0, 0, 2}, {{0, 0, 2}, {1.5}, 0.1}}, {{0, 1, 4}, {{0, 1, 4}, {2.5}, 0.2}}}, part, whole);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs.at({1, 2, 2}).regret, std::vector<double>{1.5});
  EXPECT_EQ(runs.at({1, 2, 2}).id, (RunId{1, 2, 2}));
  EXPECT_EQ(runs.at({1, 0, 4}).regret, std::vector<double>{2.5});
}

TEST(Renumber, UnitesListsAndInstances) {
  JournalHeader part = header({"p2", "p3"}, {"q4", "q1"}, 12, 3);
  part.inputs = {{"a.csv", "aa"}};
  const JournalHeader both = united(whole, part);
  EXPECT_EQ(both.experiment.problems, (std::vector<std::string>{"p1", "p2", "p3"}));
  EXPECT_EQ(both.policy_names, (std::vector<std::string>{"q1*", "q2*", "q3*", "q4*"}));
  EXPECT_EQ(both.experiment.first_instance, 0U);
  EXPECT_EQ(both.experiment.instances, 15U);
  EXPECT_EQ(both.inputs.size(), 1U);
  EXPECT_EQ(left_out(part, both), "");
  EXPECT_EQ(left_out(whole, both), "");
}

}  // namespace
}  // namespace phe
