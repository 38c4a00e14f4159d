#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "cli/program.hpp"
#include "phe/simd.hpp"

namespace phe {
namespace {

using test::bytes_of;
using test::Outcome;
using test::Program;

class Simulate : public test::ProgramTest {
 protected:
  // A small experiment, with `more` arguments.
  static std::vector<std::string> small(const std::vector<std::string>& more) {
    return with(
        {"simulate", "--problem", "linear:d=3,arms=5", "--problem", "linear:d=4,arms=9", "--policy",
         "linphe:a=1", "--policy", "linphe:a=0.5,ridge=2", "--rounds", "300", "--instances", "6"},
        more);
  }
  // One that takes long enough to be interrupted: 500 runs.
  static std::vector<std::string> longer(const std::vector<std::string>& more) {
    return with({"simulate", "--problem", "linear:d=3,arms=5", "--policy", "linphe:a=1", "--rounds",
                 "2000", "--instances", "500", "--threads", "1", "--quiet"},
                more);
  }
  static std::vector<std::string> with(std::vector<std::string> all,
                                       const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  void expect_same_results(std::string_view a, std::string_view b) const {
    for (const char* const name : {"regret.csv", "runs.csv"}) {
      const std::string bytes = bytes_of(temporary_ / a / name);
      EXPECT_FALSE(bytes.empty());
      EXPECT_EQ(bytes, bytes_of(temporary_ / b / name)) << name;
    }
  }

  // Sends `number` when some runs are in; then goes on, and compares with a run in one piece.
  Outcome interrupt_and_go_on(int number) {
    EXPECT_EQ(run(longer({"--out", path("whole")})).exit_code, 0);
    const Program program(temporary_.path(), longer({"--out", path("part")}));
    EXPECT_TRUE(grows_to(temporary_ / "part" / "runs.log", 10'000));
    program.signal(number);
    const Outcome interrupted = program.wait();
    EXPECT_FALSE(std::filesystem::exists(temporary_ / "part" / "regret.csv"));
    EXPECT_EQ(run(longer({"--out", path("part")})).exit_code, 0);
    expect_same_results("whole", "part");
    return interrupted;
  }
};

TEST_F(Simulate, OfAGridGrowsAndDoesOnlyWhatIsMissing) {
  const auto grid = [&](const char* values, const char* instances, std::string_view out) {
    return run({"simulate", "--problem", "linear:d=3|4,arms=5", "--policy",
                std::string("linphe:a=") + values, "--rounds", "100", "--instances", instances,
                "--out", path(out)});
  };
  ASSERT_EQ(grid("1|0.5", "2", "grown").exit_code, 0);
  const Outcome more = grid("2|1|0.5", "3", "grown");
  EXPECT_EQ(more.exit_code, 0) << more.err;
  EXPECT_NE(more.err.find("8 runs are there, 10 to do"), std::string::npos) << more.err;
  ASSERT_EQ(grid("2|1|0.5", "3", "whole").exit_code, 0);
  expect_same_results("grown", "whole");
  const Outcome less = grid("1|0.5", "3", "grown");
  EXPECT_EQ(less.exit_code, 2);
  EXPECT_NE(less.err.find("has policy linphe:a=2, which this leaves out"), std::string::npos);
}

TEST_F(Simulate, TakesAGridFromAFile) {
  test::put(temporary_ / "x.toml",
            "problems = ['linear:d=3|4,arms=5']\npolicies = ['linphe:a=1|0.5']\nrounds = 50\n"
            "instances = 2\ncheckpoints = 'log'\ncolumns = ['reward']\n");
  ASSERT_EQ(run({"simulate", path("x.toml"), "--out", path("file")}).exit_code, 0);
  ASSERT_EQ(
      run({"simulate", "--problem", "linear:d=3,arms=5", "--problem", "linear:d=4,arms=5",
           "--policy", "linphe:a=1", "--policy", "linphe:a=0.5", "--rounds", "50", "--instances",
           "2", "--checkpoints", "log", "--columns", "reward", "--out", path("flags")})
          .exit_code,
      0);
  expect_same_results("file", "flags");
}

TEST_F(Simulate, WritesAFolderAndPrintsATable) {
  const Outcome outcome = run(small({"--out", path("o")}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("linear, d = 3, 5 arms"), std::string::npos);
  EXPECT_NE(outcome.out.find("linphe:a=0.5,ridge=2"), std::string::npos);
  EXPECT_NE(outcome.out.find("±"), std::string::npos);
  EXPECT_NE(outcome.err.find("24 of 24 runs, 100 %"), std::string::npos);
  EXPECT_TRUE(bytes_of(temporary_ / "o" / "regret.csv")
                  .starts_with("problem,d,arms,policy,round,instances,mean_regret,std_err\n"
                               "linear,3,5,linphe:a=1,"));
  EXPECT_TRUE(bytes_of(temporary_ / "o" / "runs.csv")
                  .starts_with("problem,d,arms,policy,instance,round,regret\n"
                               "linear,3,5,linphe:a=1,0,"));
  EXPECT_EQ(nlohmann::json::parse(bytes_of(temporary_ / "o" / "manifest.json"))["regret"],
            "pseudo-regret");
}

TEST_F(Simulate, WithoutAFolderWritesNothing) {
  const auto before = test::contents_of(temporary_.path());
  EXPECT_EQ(run(small({"--quiet"})).exit_code, 0);
  auto after = test::contents_of(temporary_.path());
  after.erase("stdout");
  after.erase("stderr");
  EXPECT_EQ(after, before);
}

TEST_F(Simulate, PrintsOneJsonDocumentWhenAsked) {
  const Outcome outcome = run(small({"--json", "--quiet"}));
  EXPECT_EQ(outcome.err, "");
  const auto json = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(json["results"].size(), 4U);
  EXPECT_EQ(json["results"][3]["policy"], "linphe:a=0.5,ridge=2");
  EXPECT_EQ(json["results"][3]["mean_regret"].size(), json["rounds"].size());
  EXPECT_NE(json["results"][0]["best"], json["results"][1]["best"]);
}

TEST_F(Simulate, TakesAFileThatFlagsOverride) {
  test::put(temporary_ / "x.toml",
            "problems = ['linear:d=3,arms=5']\npolicies = ['linphe:a=1', 'linphe:a=2']\n"
            "rounds = 50\ninstances = 2\n");
  const Outcome outcome =
      run({"simulate", path("x.toml"), "--policy", "linphe:a=4", "--rounds", "7", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto spec = nlohmann::json::parse(outcome.out)["spec"];
  EXPECT_EQ(spec["policies"], std::vector<std::string>{"linphe:a=4"});
  EXPECT_EQ(spec["problems"], std::vector<std::string>{"linear:d=3,arms=5"});
  EXPECT_EQ(spec["rounds"], 7);
  EXPECT_EQ(spec["instances"], 2);
}

TEST_F(Simulate, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const char* const threads : {"1", "2", "5"})
    ASSERT_EQ(run(small({"--threads", threads, "--out", path(threads)})).exit_code, 0);
  expect_same_results("1", "2");
  expect_same_results("1", "5");
}

TEST_F(Simulate, GivesTheSameBytesOnEverySimdTarget) {
  ASSERT_EQ(run(small({"--out", path("auto")})).exit_code, 0);
  for (const std::string& target : simd_targets()) {
    ASSERT_EQ(run(small({"--simd", target, "--out", path(target)})).exit_code, 0);
    expect_same_results("auto", target);
    EXPECT_EQ(nlohmann::json::parse(bytes_of(temporary_ / target / "manifest.json"))["simd"],
              target);
  }
}

TEST_F(Simulate, KeepsItsRunsOnCtrlCAndGoesOn) {
  const Outcome outcome = interrupt_and_go_on(SIGINT);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_TRUE(outcome.err.starts_with("phe: interrupted: ")) << outcome.err;
  EXPECT_NE(
      outcome.err.find(" of 500 runs are kept in " + path("part") + "; the same command goes on\n"),
      std::string::npos)
      << outcome.err;
}

TEST_F(Simulate, KeepsItsRunsWhenAskedToTerminate) {
  EXPECT_EQ(interrupt_and_go_on(SIGTERM).exit_code, 130);
}

TEST_F(Simulate, KeepsItsRunsWhenKilled) {
  EXPECT_EQ(interrupt_and_go_on(SIGKILL).exit_code, 128 + SIGKILL);
}

TEST_F(Simulate, SaysWhenEverythingIsDoneAlready) {
  const Outcome first = run(small({"--out", path("o")}));
  const auto before = test::contents_of(temporary_ / "o");
  const Outcome second = run(small({"--out", path("o")}));
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_TRUE(second.err.starts_with("all 24 runs are in " + path("o") + " already\n"))
      << second.err;
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(test::contents_of(temporary_ / "o"), before);
}

TEST_F(Simulate, RefusesAFolderThatAnotherProcessWorksIn) {
  const auto arguments = longer({"--out", path("o"), "--rounds", "20000"});
  const Program first(temporary_.path(), arguments);
  ASSERT_TRUE(grows_to(temporary_ / "o" / "runs.log", 5'000));
  const test::TemporaryFolder elsewhere;
  const Outcome second = Program(elsewhere.path(), arguments).wait();
  first.signal(SIGKILL);
  first.wait();
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_EQ(second.err, "phe: " + path("o") +
                            " is in use by another phe; wait for it or choose another --out\n");
  // The lock went with the process that held it.
  const auto size = std::filesystem::file_size(temporary_ / "o" / "runs.log");
  const Program third(elsewhere.path(), arguments);
  EXPECT_TRUE(grows_to(temporary_ / "o" / "runs.log", size + 1));
  third.signal(SIGINT);
  EXPECT_EQ(third.wait().exit_code, 130);
}

TEST_F(Simulate, FailsClearlyWhenAFileCannotGrowAndKeepsItsRuns) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small_files{20'000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small_files);
  const Outcome outcome = run(longer({"--out", path("part")}));
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "phe: " + path("part") + "/runs.log: cannot be written: File too large\n");
  EXPECT_GT(std::filesystem::file_size(temporary_ / "part" / "runs.log"), 10'000U);
  EXPECT_EQ(run(longer({"--out", path("part")})).exit_code, 0);
  EXPECT_EQ(run(longer({"--out", path("whole")})).exit_code, 0);
  expect_same_results("whole", "part");
}

}  // namespace
}  // namespace phe
