#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace phe {
namespace {

class Theory : public test::ProgramTest {
 protected:
  // Runs it and expects exit code 2 and one line that says `message`.
  void expect_refused(const std::vector<std::string>& arguments, const std::string& message) const {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(outcome.err, "phe: " + message + "\n");
    EXPECT_EQ(outcome.out, "");
  }
};

TEST_F(Theory, HelpHasAnExampleForEveryCommand) {
  for (const std::string command : {"bound", "verify", "growth"}) {
    EXPECT_NE(run({command, "--help"}).out.find("\n  phe " + command), std::string::npos);
    EXPECT_NE(run({"--help"}).out.find("phe " + command), std::string::npos);
  }
}

TEST_F(Theory, BoundSaysInWordsWhatIsVacuousAndWhatHasNoSolution) {
  const auto outcome = run({"bound", "--problem", "linear:d=5", "--rounds", "10000"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("no a has a = ⌈16 c₁²⌉ at λ ="), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("The largest λ with a solution is"), std::string::npos);
  EXPECT_NE(outcome.out.find("the bound says nothing"), std::string::npos);
  EXPECT_NE(outcome.out.find("(c₁+c₂)(1 + 2/(p₃−p₂))√(c₃n) + (p₁+p₂)n + d"), std::string::npos);
}

TEST_F(Theory, BoundAsJsonHoldsEveryConstant) {
  const auto json = nlohmann::json::parse(
      run({"bound", "--problem", "linear:d=5", "--rounds", "1000000000000000", "--json"}).out);
  const auto& unshifted = json["readings"][1];
  for (const char* key :
       {"L", "L_star", "lambda", "a", "c1", "c2", "c3", "p1", "p2", "p3", "bound", "least_rounds"})
    EXPECT_TRUE(unshifted[key].is_number()) << key;
  EXPECT_EQ(unshifted["vacuous"], false);
  EXPECT_EQ(unshifted["condition_holds"], true);
  EXPECT_LT(unshifted["bound"], json["n"]);
}

TEST_F(Theory, BoundReadsArmsAndThetaFromFiles) {
  test::put(temporary_ / "arms.csv", "x,bias\n1,1\n0,1\n");
  test::put(temporary_ / "theta.csv", "0.25\n0.5\n");
  const std::string problem = "linear:features=" + path("arms.csv") + ",theta=" + path("theta.csv");
  const auto json =
      nlohmann::json::parse(run({"bound", "--problem", problem, "--rounds", "1000", "--json"}).out);
  EXPECT_EQ(json["K"], 2);
  EXPECT_NEAR(json["readings"][1]["L_star"].get<double>(), std::hypot(0.25, 0.5), 1e-12);
  EXPECT_NEAR(json["readings"][1]["lambda"].get<double>(), (3 - std::sqrt(5.0)) / 6, 1e-12);
}

TEST_F(Theory, VerifyHoldsAndRepeatsItself) {
  const std::vector<std::string> arguments = {"verify", "--runs",   "5",   "--draws",
                                              "2000",   "--rounds", "100", "--json"};
  const auto first = run(arguments);
  EXPECT_EQ(first.exit_code, 0) << first.out;
  EXPECT_EQ(first.out, run(arguments).out);
  const auto json = nlohmann::json::parse(first.out);
  EXPECT_EQ(json["all_hold"], true);
  EXPECT_EQ(json["checks"].size(), 20U);
}

TEST_F(Theory, GrowthFitsAnExponentInEitherDirection) {
  const auto rounds = nlohmann::json::parse(
      run({"growth", "--values", "100,400", "--instances", "3", "--policy", "linphe:a=1",
           "--problem", "linear:d=3,arms=10", "--quiet", "--json"})
          .out);
  EXPECT_EQ(rounds["results"][0]["mean_regret"].size(), 2U);
  const double ratio = rounds["results"][0]["mean_regret"][1].get<double>() /
                       rounds["results"][0]["mean_regret"][0].get<double>();
  EXPECT_NEAR(rounds["results"][0]["exponent"].get<double>(), std::log(ratio) / std::log(4), 1e-9);
  const auto d = run({"growth", "--over", "d", "--values", "3,6", "--rounds", "100", "--instances",
                      "2", "--problem", "linear:arms=10", "--quiet"});
  EXPECT_EQ(d.exit_code, 0) << d.err;
  EXPECT_NE(d.out.find("has exponent 1 in d"), std::string::npos);
}

TEST_F(Theory, BadInputIsRefusedInOneLine) {
  expect_refused({"bound", "--rounds", "1"},
                 "--rounds must be a whole number from 2 to 1000000000000000000, got '1'");
  expect_refused({"bound", "--policy", "linphe"}, "--policy goes with --plot");
  expect_refused({"verify", "--a", "0.5"},
                 "a must be a whole number from 1 to 1000000 (as in the analysis), got 0.5");
  expect_refused({"verify", "--ridge", "1"}, "--ridge needs --a beside it");
  expect_refused({"verify", "--a", "x"}, "--a must be a number, got 'x'");
  expect_refused({"growth", "--over", "arms"}, "--over must be rounds or d, got 'arms'");
  expect_refused({"growth", "--values", "10"}, "--values needs at least 2 values, got '10'");
  expect_refused({"growth", "--values", "20,10"}, "--values must ascend, got 10 after 20");
  expect_refused({"growth", "--rounds", "5"},
                 "--rounds goes with --over d; give the horizons as --values");
  expect_refused({"simulate", "--problem", "linear", "--policy", "linphe:theory,a=2"},
                 "policy linphe: theory sets a itself; leave a out");
  expect_refused({"simulate", "--problem", "linear", "--policy", "linphe:norm=1"},
                 "policy linphe: norm and shifted go with theory");
}

TEST_F(Theory, TheorysLinPheRunsAndTheShiftedOneIsRefusedWithTheRidgeThatHelps) {
  EXPECT_EQ(run({"simulate", "--problem", "linear:d=5", "--policy", "linphe:theory", "--rounds",
                 "100", "--instances", "2", "--quiet"})
                .exit_code,
            0);
  const auto refused = run({"simulate", "--problem", "linear:d=5", "--policy",
                            "linphe:theory,shifted", "--rounds", "100", "--instances", "2"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("policy linphe: theory: no a has a = ceil(16 c1^2)"),
            std::string::npos);
  EXPECT_NE(refused.err.find("give ridge="), std::string::npos);
}

TEST_F(Theory, TheReportDoesNotDependOnThreadsAndQuietShowsNoProgress) {
  const auto verified = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"verify", "--runs", "7", "--draws", "500", "--rounds", "60"});
    return run(more);
  };
  const auto one = verified({"--threads", "1", "--quiet"});
  const auto three = verified({"--threads", "3"});
  EXPECT_NE(one.out, "");
  EXPECT_EQ(one.out, three.out);
  EXPECT_EQ(one.exit_code, three.exit_code);
  EXPECT_EQ(one.err, "");
  EXPECT_NE(three.err.find("7 of 7 runs, 100 %"), std::string::npos) << three.err;
  EXPECT_EQ(verified({"--threads", "0"}).exit_code, 2);
}

TEST_F(Theory, PlotsAreDrawnOrTheirScriptIsKept) {
  const auto outcome =
      run({"verify", "--runs", "2", "--draws", "500", "--rounds", "60", "--plot", path("figures")});
  EXPECT_TRUE(std::filesystem::exists(temporary_ / "figures/verify.gp"));
  if (outcome.exit_code == 0) {
    EXPECT_GT(std::filesystem::file_size(temporary_ / "figures/verify.svg"), 1000U);
    EXPECT_GT(std::filesystem::file_size(temporary_ / "figures/verify.png"), 1000U);
  } else {
    EXPECT_NE(outcome.err.find("gnuplot is not installed"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace phe
