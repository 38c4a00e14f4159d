#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace phe {
namespace {

using test::Outcome;
using testing::HasSubstr;

class StatusProgram : public test::ProgramTest {
 protected:
  [[nodiscard]] std::vector<std::string> simulate(const char* instances) const {
    return {"simulate",
            "--problem",
            "linear:d=3,arms=5",
            "--policy",
            "linphe:a=1|2",
            "--rounds",
            "2000",
            "--instances",
            instances,
            "--threads",
            "1",
            "--quiet",
            "--out",
            path("o")};
  }
};

TEST_F(StatusProgram, TellsAFolderThatIsBeingWrittenAndDisturbsNobody) {
  const test::Program program(temporary_.path(), simulate("3000"));
  ASSERT_TRUE(grows_to(temporary_ / "o" / "runs.log", 20'000));
  std::filesystem::create_directory(temporary_ / "status");
  const Outcome running =
      test::Program(temporary_ / "status", {"status", path("o"), "--json"}).wait();
  ASSERT_EQ(running.exit_code, 0) << running.err;
  const auto json = nlohmann::json::parse(running.out).at(0);
  EXPECT_EQ(json["state"], "running");
  EXPECT_GT(json["done"], 0);
  EXPECT_EQ(json["of"], 6000);
  EXPECT_GT(json["runs_per_second"], 0.0);
  program.signal(SIGKILL);
  program.wait();
  const Outcome killed = run({"status", path("o")});
  EXPECT_THAT(killed.out, HasSubstr("stopped (process "));
  EXPECT_THAT(killed.out, HasSubstr("the same command goes on"));
}

TEST_F(StatusProgram, TellsAFinishedFolderAndAFolderOfFolders) {
  ASSERT_EQ(run(simulate("2")).exit_code, 0);
  const Outcome one = run({"status", path("o")});
  EXPECT_THAT(one.out, HasSubstr("4 of 4 runs, 100 %; finished"));
  EXPECT_THAT(one.out, HasSubstr("2 of 2"));
  EXPECT_EQ(run({"status", temporary_.path().string()}).out, one.out);
}

TEST_F(StatusProgram, RefusesWhatIsNoResultsFolder) {
  EXPECT_THAT(run({"status", path("none")}).err, HasSubstr("there is no such folder"));
  std::filesystem::create_directory(temporary_ / "empty");
  EXPECT_THAT(run({"status", path("empty")}).err, HasSubstr("runs.log"));
  EXPECT_EQ(run({"status"}).exit_code, 2);
}

}  // namespace
}  // namespace phe
