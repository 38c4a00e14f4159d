#include <sstream>

#include <fmt/format.h>

#include "cli/program.hpp"
#include "support/crc32.hpp"

namespace phe {
namespace {

using test::bytes_of;
using test::Outcome;
using Words = std::vector<std::string>;

class Merge : public test::ProgramTest {
 protected:
  // Instances [first, first + count) of a small experiment, into a folder.
  void simulate(std::string_view name, int first, int count, const Words& more = {}) const {
    Words words = {"simulate",
                   "--problem",
                   "linear:d=3,arms=5",
                   "--problem",
                   "linear:d=4,arms=9",
                   "--policy",
                   "linphe:a=1",
                   "--policy",
                   "linphe:a=0.5",
                   "--rounds",
                   "60",
                   "--instances",
                   std::to_string(count),
                   "--first-instance",
                   std::to_string(first),
                   "--quiet",
                   "--out",
                   path(name)};
    words.insert(words.end(), more.begin(), more.end());
    ASSERT_EQ(run(words).exit_code, 0);
  }
  [[nodiscard]] Outcome merge(const Words& names, std::string_view out) const {
    Words words = {"merge"};
    for (const std::string& name : names) words.push_back(path(name));
    words.insert(words.end(), {"--out", path(out)});
    return run(words);
  }
  void expect_same_tables(std::string_view a, std::string_view b) const {
    for (const char* const name : {"regret.csv", "runs.csv"}) {
      const std::string bytes = bytes_of(temporary_ / a / name);
      EXPECT_FALSE(bytes.empty());
      EXPECT_EQ(bytes, bytes_of(temporary_ / b / name)) << name;
    }
  }
  void expect_refused(const Words& names, const Words& told) const {
    const Outcome outcome = merge(names, "refused");
    EXPECT_EQ(outcome.exit_code, 2);
    for (const std::string& word : told)
      EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in " << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(temporary_ / "refused"));
  }
};

TEST_F(Merge, OfPartsIsTheWholeByteForByte) {
  simulate("whole", 0, 9);
  simulate("a", 0, 4);
  simulate("b", 4, 3);
  simulate("c", 7, 2);
  const Outcome outcome = merge({"c", "a", "b"}, "merged");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("36 runs of 9 instances"), std::string::npos) << outcome.out;
  expect_same_tables("merged", "whole");
}

TEST_F(Merge, CanBeContinuedAsIfDoneHere) {
  simulate("a", 0, 2);
  simulate("b", 2, 2);
  ASSERT_EQ(merge({"a", "b"}, "merged").exit_code, 0);
  const auto before = test::contents_of(temporary_ / "merged");
  simulate("merged", 0, 4);
  EXPECT_EQ(test::contents_of(temporary_ / "merged"), before);
}

TEST_F(Merge, TwiceIsTheSame) {
  simulate("a", 0, 2);
  simulate("b", 2, 2);
  ASSERT_EQ(merge({"a", "b"}, "merged").exit_code, 0);
  const auto before = test::contents_of(temporary_ / "merged");
  ASSERT_EQ(merge({"a", "b"}, "merged").exit_code, 0);
  EXPECT_EQ(test::contents_of(temporary_ / "merged"), before);
}

TEST_F(Merge, DoesNotNeedTheManifests) {
  simulate("whole", 0, 4);
  simulate("a", 0, 2);
  simulate("b", 2, 2);
  test::put(temporary_ / "a" / "manifest.json", R"({"cpu": 5, "simd": "x", "threads": 1e300})");
  test::put(temporary_ / "b" / "manifest.json", "[1, {");
  const Outcome outcome = merge({"a", "b"}, "merged");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same_tables("merged", "whole");
}

TEST_F(Merge, OfInstancesThatOverlapCountsEachOnce) {
  simulate("whole", 0, 4);
  simulate("a", 0, 3);
  simulate("b", 2, 2);
  ASSERT_EQ(merge({"a", "b", "a"}, "merged").exit_code, 0);
  expect_same_tables("merged", "whole");
}

TEST_F(Merge, WithAGapSaysHowToFillItAndThatCommandDoes) {
  simulate("whole", 0, 6);
  simulate("a", 0, 2);
  simulate("b", 4, 2);
  const Outcome outcome = merge({"a", "b"}, "merged");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("8 runs are in none of the folders; this does what is missing:"),
            std::string::npos)
      << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(temporary_ / "merged" / "regret.csv"));
  const std::string command = outcome.err.substr(outcome.err.find("  phe simulate") + 2);
  std::istringstream words(command.substr(4));
  Words arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  EXPECT_EQ(run(arguments).exit_code, 0) << command;
  expect_same_tables("merged", "whole");
}

TEST_F(Merge, OfOtherPoliciesAndProblemsIsTheWhole) {
  simulate("whole", 0, 3);
  const auto part = [&](const char* out, const char* problem, const char* policy) {
    ASSERT_EQ(run({"simulate", "--problem", problem, "--policy", policy, "--rounds", "60",
                   "--instances", "3", "--quiet", "--out", path(out)})
                  .exit_code,
              0);
  };
  part("a", "linear:d=3,arms=5", "linphe:a=1|0.5");
  part("b", "linear:d=4,arms=9", "linphe:a=0.5");
  part("c", "linear:arms=9,d=4", "linphe:a=1.0");
  ASSERT_EQ(merge({"a", "b", "c"}, "merged").exit_code, 0);
  expect_same_tables("merged", "whole");
}

TEST_F(Merge, RefusesARunThatIsNotTheSameInBoth) {
  simulate("a", 0, 2);
  simulate("b", 0, 2);
  std::string journal = bytes_of(temporary_ / "b" / "runs.log");
  const std::size_t line = journal.find("\nrun ") + 1;
  const std::size_t mark = journal.find(" #", line);
  const std::string other = journal.substr(line, journal.rfind(' ', mark - 1) - line) + " 7";
  journal.replace(line, mark + 10 - line, fmt::format("{} #{:08x}", other, crc32(other)));
  test::put(temporary_ / "b" / "runs.log", journal);
  expect_refused({"a", "b"}, {path("b"), "has other results than in a folder before it"});
}

TEST_F(Merge, RefusesAnotherExperiment) {
  simulate("a", 0, 2);
  simulate("rounds", 2, 2, {"--rounds", "70"});
  simulate("seed", 2, 2, {"--seed", "7"});
  expect_refused({"a", "rounds"}, {"another experiment", "rounds is 70"});
  expect_refused({"a", "seed"}, {"another experiment", "seed is 7"});
}

TEST_F(Merge, RefusesWhatIsNoResultsFolder) {
  simulate("a", 0, 2);
  expect_refused({"a", "none"}, {path("none"), "no such folder"});
  std::filesystem::create_directory(temporary_ / "empty");
  expect_refused({"a", "empty"}, {"runs.log"});
}

TEST_F(Merge, TakesAnUnfinishedFolder) {
  simulate("whole", 0, 4);
  simulate("a", 0, 2);
  simulate("b", 2, 2, {"--threads", "1"});  // so that the last run is one of instance 3
  simulate("c", 3, 1);
  const std::string journal = bytes_of(temporary_ / "b" / "runs.log");
  test::put(temporary_ / "b" / "runs.log", journal.substr(0, journal.size() - 1));
  EXPECT_NE(merge({"a", "b"}, "part").err.find("1 run is in none of the folders"),
            std::string::npos);
  ASSERT_EQ(merge({"a", "b", "c"}, "merged").exit_code, 0);
  expect_same_tables("merged", "whole");
}

TEST_F(Merge, IntoOneOfTheFoldersMakesItGrow) {
  simulate("whole", 0, 4);
  simulate("a", 0, 2);
  simulate("b", 2, 2);
  const Outcome outcome = merge({"a", "b"}, "a");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same_tables("a", "whole");
}

TEST_F(Merge, LeavesAFolderOfSomethingElseAlone) {
  simulate("a", 0, 2);
  simulate("b", 2, 2);
  simulate("other", 0, 2, {"--seed", "7"});
  const auto before = test::contents_of(temporary_ / "other");
  const Outcome outcome = merge({"a", "b"}, "other");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("holds another experiment"), std::string::npos) << outcome.err;
  EXPECT_EQ(test::contents_of(temporary_ / "other"), before);
}

TEST_F(Merge, AsksForWhatIsMissing) {
  EXPECT_NE(run({"merge", "a", "--out", "b"}).err.find("at least two"), std::string::npos);
  EXPECT_NE(run({"merge", "a", "b"}).err.find("--out"), std::string::npos);
}

}  // namespace
}  // namespace phe
