// Results of different things are never mixed, and those of the same thing always fit together.
#include "cli/program.hpp"

namespace phe {
namespace {

using test::bytes_of;
using test::Outcome;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class IdentityOfResults : public test::ProgramTest {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(temporary_ / "data");
    put_data("arms.csv", "0.5,1\n-0.5,1\n0.1,1\n");
    put_data("theta.csv", "0.4,0.5\n");
  }
  void put_data(const char* name, std::string_view text) const {
    test::put(temporary_ / "data" / name, text);
  }
  // A small experiment on the files in `data`, however that is spelled.
  [[nodiscard]] Outcome simulate(const std::string& data, std::string_view out, int first = 0,
                                 int count = 4) const {
    return run({"simulate", "--problem",
                "linear:features=" + data + "/arms.csv,theta=" + data + "/theta.csv", "--policy",
                "linphe:a=1", "--policy", "uniform", "--rounds", "50", "--instances",
                std::to_string(count), "--first-instance", std::to_string(first), "--quiet",
                "--out", path(out)});
  }
  [[nodiscard]] std::string all_bytes(std::string_view out) const {
    std::string bytes;
    for (const char* const name : {"runs.log", "runs.csv", "regret.csv", "manifest.json"})
      bytes += bytes_of(temporary_ / out / name);
    return bytes;
  }
  // The numbers of runs.csv, without the name of the problem.
  [[nodiscard]] std::string numbers(std::string_view out) const {
    std::string numbers;
    std::istringstream lines(bytes_of(temporary_ / out / "runs.csv"));
    for (std::string line; std::getline(lines, line);)
      numbers +=
          line.substr(line.rfind(",2,3,") == std::string::npos ? 0 : line.rfind(",2,3,")) + "\n";
    return numbers;
  }
};

TEST_F(IdentityOfResults, AFileThatChangedIsRefusedByNameAndNothingIsTouched) {
  ASSERT_EQ(simulate(path("data"), "o").exit_code, 0);
  const auto before = all_bytes("o");
  put_data("theta.csv", "0.3,0.5\n");
  const Outcome outcome = simulate(path("data"), "o");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("holds another experiment: the content of " + path("data") +
                                     "/theta.csv differs (SHA-256 "));
  EXPECT_EQ(all_bytes("o"), before);
  put_data("theta.csv", "0.4,0.5\n");
  EXPECT_EQ(simulate(path("data"), "o").exit_code, 0);
}

TEST_F(IdentityOfResults, WhereAFileLiesDoesNotMatter) {
  ASSERT_EQ(simulate(path("data"), "o").exit_code, 0);
  ASSERT_EQ(simulate(path("data") + "/../data/.", "dotted").exit_code, 0);
  EXPECT_EQ(numbers("dotted"), numbers("o"));
  EXPECT_THAT(numbers("o"), HasSubstr(",2,3,uniform,3,50,"));
  const auto before = all_bytes("o");
  EXPECT_EQ(simulate(path("data") + "/.", "o").exit_code, 0);
  EXPECT_EQ(all_bytes("o"), before);
}

TEST_F(IdentityOfResults, OtherContentsHaveOtherStreams) {
  ASSERT_EQ(simulate(path("data"), "o").exit_code, 0);
  put_data("arms.csv", "# the same numbers\n0.5,1\n-0.5,1\n0.1,1\n");
  ASSERT_EQ(simulate(path("data"), "other").exit_code, 0);
  EXPECT_NE(numbers("o"), numbers("other"));
}

TEST_F(IdentityOfResults, TheFilesAreCopiedIntoTheFolder) {
  ASSERT_EQ(simulate(path("data"), "o").exit_code, 0);
  std::vector<std::string> copies;
  for (const auto& [name, bytes] : test::contents_of(temporary_ / "o" / "inputs"))
    copies.push_back(name.substr(16) + " " + bytes);
  std::ranges::sort(copies);
  EXPECT_EQ(copies, (Words{"-arms.csv 0.5,1\n-0.5,1\n0.1,1\n", "-theta.csv 0.4,0.5\n"}));
  EXPECT_THAT(bytes_of(temporary_ / "o" / "manifest.json"), HasSubstr("-theta.csv\""));
}

TEST_F(IdentityOfResults, PartsMergeWhereTheFilesAreNot) {
  ASSERT_EQ(simulate(path("data"), "whole").exit_code, 0);
  ASSERT_EQ(simulate(path("data"), "a", 0, 2).exit_code, 0);
  std::filesystem::rename(temporary_ / "data", temporary_ / "moved");
  ASSERT_EQ(simulate(path("moved"), "b", 2, 2).exit_code, 0);
  std::filesystem::remove_all(temporary_ / "moved");
  const Outcome outcome = run({"merge", path("a"), path("b"), "--out", path("merged")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* const name : {"regret.csv", "runs.csv"})
    EXPECT_EQ(bytes_of(temporary_ / "merged" / name), bytes_of(temporary_ / "whole" / name));
  EXPECT_EQ(test::contents_of(temporary_ / "merged" / "inputs"),
            test::contents_of(temporary_ / "whole" / "inputs"));
}

TEST_F(IdentityOfResults, PartsOfDifferentContentsAreNotMerged) {
  ASSERT_EQ(simulate(path("data"), "a", 0, 2).exit_code, 0);
  put_data("theta.csv", "0.3,0.5\n");
  ASSERT_EQ(simulate(path("data"), "b", 2, 2).exit_code, 0);
  const Outcome outcome = run({"merge", path("a"), path("b"), "--out", path("merged")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr(path("b") + " holds another experiment than " + path("a") +
                                     ": the content of "));
  EXPECT_FALSE(std::filesystem::exists(temporary_ / "merged"));
}

TEST_F(IdentityOfResults, ACopyThatChangedIsNotMerged) {
  ASSERT_EQ(simulate(path("data"), "a", 0, 2).exit_code, 0);
  ASSERT_EQ(simulate(path("data"), "b", 2, 2).exit_code, 0);
  for (const auto& copy : std::filesystem::directory_iterator(temporary_ / "a" / "inputs"))
    if (copy.path().string().ends_with("theta.csv")) test::put(copy.path(), "0.3,0.5\n");
  const Outcome outcome = run({"merge", path("a"), path("b"), "--out", path("merged")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the runs are not those of their inputs: the content of "));
}

TEST_F(IdentityOfResults, AnExperimentFileNamesFilesBesideIt) {
  const auto with = [&](const std::string& toml, const std::string& out) {
    return run({"simulate", toml, "--out", path(out), "--quiet"});
  };
  put_data("x.toml",
           "problems = ['linear:features=arms.csv,theta=theta.csv']\n"
           "policies = ['linphe:a=1', 'uniform']\nrounds = 50\ninstances = 4\n");
  const Outcome outcome = with(path("data") + "/x.toml", "toml");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_EQ(simulate(path("data"), "flags").exit_code, 0);
  EXPECT_EQ(numbers("toml"), numbers("flags"));
}

TEST_F(IdentityOfResults, AFileMayHaveACommaInItsName) {
  put_data("arms, v2.csv", "0.5,1\n-0.5,1\n0.1,1\n");
  const Outcome outcome = run(
      {"simulate", "--problem",
       "linear:features=\"" + path("data") + "/arms, v2.csv\",theta=" + path("data") + "/theta.csv",
       "--policy", "linphe:a=1", "--policy", "uniform", "--rounds", "50", "--instances", "4",
       "--quiet", "--out", path("o")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_EQ(simulate(path("data"), "plain").exit_code, 0);
  EXPECT_EQ(numbers("o"), numbers("plain"));
}

TEST_F(IdentityOfResults, AnOverlongPathIsBadInput) {
  const std::string overlong(300, 'x');
  const Outcome outcome =
      run({"simulate", "--problem", "logistic:features=" + overlong, "--policy", "uniform"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "phe: " + overlong + ": File name too long\n");
}

}  // namespace
}  // namespace phe
