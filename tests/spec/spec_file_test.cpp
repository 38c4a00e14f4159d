#include "spec/spec_file.hpp"

#include <gtest/gtest.h>

#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

namespace phe {
namespace {

std::string refusal(std::string_view text) {
  const auto file = parse_spec_file(text, "x.toml");
  EXPECT_FALSE(file.ok());
  return file.ok() ? "" : file.error().message;
}

TEST(SpecFile, GivesEveryKey) {
  const auto file = parse_spec_file(R"(
      problems = ["linear:d=5", "linear:d=10"]
      policies = ["linphe"]
      rounds = 1_000
      instances = 7
      first_instance = 3
      seed = 0
      threads = 2
      out = "out/x")",
                                    "x.toml");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const Experiment& experiment = file->experiment;
  EXPECT_EQ(experiment.problems, (std::vector<std::string>{"linear:d=5", "linear:d=10"}));
  EXPECT_EQ(experiment.policies, std::vector<std::string>{"linphe"});
  EXPECT_EQ(experiment.rounds, 1000U);
  EXPECT_EQ(experiment.instances, 7U);
  EXPECT_EQ(experiment.first_instance, 3U);
  EXPECT_EQ(experiment.seed, 0U);
  EXPECT_EQ(file->threads, 2U);
  EXPECT_EQ(file->out, "out/x");
}

TEST(SpecFile, TakesCheckpointsAsANumberOrAWord) {
  const auto checkpoints = [](std::string_view text) {
    return parse_spec_file(text, "x.toml")->experiment.checkpoints;
  };
  EXPECT_EQ(checkpoints(""), "100");
  EXPECT_EQ(checkpoints("checkpoints = 50"), "50");
  EXPECT_EQ(checkpoints("checkpoints = 'log'"), "log");
  const auto file = parse_spec_file("columns = ['reward', 'best_pulls']", "x.toml");
  EXPECT_EQ(file->experiment.columns, (std::vector<std::string>{"reward", "best_pulls"}));
  EXPECT_EQ(refusal("columns = 'reward'"),
            "x.toml:1:11: columns must be an array of strings, got 'reward'");
}

TEST(SpecFile, HasDefaultsForKeysLeftOut) {
  const auto file = parse_spec_file("", "x.toml");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->experiment.rounds, Experiment{}.rounds);
  EXPECT_TRUE(file->experiment.problems.empty());
  EXPECT_FALSE(file->threads.has_value());
  EXPECT_FALSE(file->out.has_value());
}

TEST(SpecFile, TellsBrokenTomlInOneLineWithItsPlace) {
  const std::string message = refusal("seed = 1\nrounds = = 3\n");
  EXPECT_TRUE(message.starts_with("x.toml:2:10: ")) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_TRUE(refusal("seed = 1\nseed = 2").starts_with("x.toml:2:"));
  EXPECT_TRUE(refusal("rounds = 99999999999999999999").starts_with("x.toml:1:"));
  EXPECT_TRUE(refusal("problems = [\"linear\"").starts_with("x.toml:1:"));
  EXPECT_FALSE(refusal(std::string("\0\xff\xfe", 3)).empty());
}

TEST(SpecFile, NamesTheNearestKeyForAnUnknownOne) {
  EXPECT_EQ(
      refusal("\nround = 5"),
      "x.toml:2:1: no key is called 'round'; did you mean 'rounds'? (keys: problems, "
      "policies, rounds, instances, first_instance, seed, checkpoints, columns, threads, out)");
}

TEST(SpecFile, RefusesAKeyOfTwoLinesOnOneLine) {
  EXPECT_EQ(refusal("\"ro\\nunds\" = 5").substr(0, 38), "x.toml:1:1: no key is called 'ro?unds'");
}

TEST(SpecFile, RefusesNumbersOutsideTheirRange) {
  EXPECT_EQ(refusal("rounds = -5"),
            "x.toml:1:10: rounds must be a whole number from 1 to 1000000000, got '-5'");
  EXPECT_EQ(refusal("rounds = 0"),
            "x.toml:1:10: rounds must be a whole number from 1 to 1000000000, got '0'");
  EXPECT_EQ(refusal("instances = 1000001"),
            "x.toml:1:13: instances must be a whole number from 1 to 1000000, got '1000001'");
  EXPECT_EQ(refusal("threads = 0"),
            "x.toml:1:11: threads must be a whole number from 1 to 1024, got '0'");
}

TEST(SpecFile, TakesCountsInEveryWayThatTomlHasForThem) {
  for (const char* const text : {"1000000", "1_000_000", "1e6", "1000000.0", "0xf4240"}) {
    const auto file = parse_spec_file(std::string("rounds = ") + text, "x.toml");
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->experiment.rounds, 1'000'000U) << text;
  }
}

TEST(SpecFile, TellsThatACountStandsInQuotes) {
  EXPECT_EQ(refusal("rounds = \"100\""),
            "x.toml:1:10: rounds must be a number, got the text \"100\"; write rounds = 100");
}

TEST(SpecFile, MayBeginWithAByteOrderMark) {
  const auto file = parse_spec_file("\xef\xbb\xbfrounds = 7", "x.toml");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->experiment.rounds, 7U);
}

TEST(SpecFile, LooksForFilesBesideItself) {
  const test::TemporaryFolder folder;
  test::put(folder / "x.toml", "");
  const auto file = read_spec_file(folder / "x.toml");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->locator()("arms.csv"), folder / "arms.csv");
  EXPECT_EQ(file->locator()("/arms.csv"), "/arms.csv");
  EXPECT_EQ(SpecFile{}.locator()("arms.csv"), "arms.csv");
}

TEST(SpecFile, RefusesValuesOfAnotherType) {
  EXPECT_EQ(refusal("rounds = 'many'"),
            "x.toml:1:10: rounds must be a whole number from 1 to 1000000000, got 'many'");
  EXPECT_EQ(refusal("rounds = 1.5"),
            "x.toml:1:10: rounds must be a whole number from 1 to 1000000000, got '1.5'");
  EXPECT_EQ(refusal("policies = 'linphe'"),
            "x.toml:1:12: policies must be an array of strings, got 'linphe'");
  EXPECT_EQ(refusal("policies = ['linphe', 3]"),
            "x.toml:1:23: policies must be an array of strings, got '3'");
  EXPECT_EQ(refusal("out = 3"), "x.toml:1:7: out must be a string, got '3'");
}

TEST(SpecFile, ThatIsMissingIsNamed) {
  const test::TemporaryFolder folder;
  const auto file = read_spec_file(folder / "none.toml");
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message.find("none.toml: No such file"), std::string::npos);
}

TEST(SpecFile, OfEveryExperimentInTheSourceTreeIsAPlan) {
  const Registry registry = Registry::built_in();
  for (const auto& entry :
       std::filesystem::directory_iterator(test::in_source_tree("/experiments"))) {
    const auto file = read_spec_file(entry.path());
    ASSERT_TRUE(file.ok()) << file.error().message;
    const auto plan = Plan::create(file->experiment, registry);
    EXPECT_TRUE(plan.ok()) << entry.path() << ": " << plan.error().message;
  }
}

}  // namespace
}  // namespace phe
