// What holds for every command alike.
#include "cli/program.hpp"

namespace phe {
namespace {

using test::Outcome;
using testing::HasSubstr;
using testing::StartsWith;

class EveryCommand : public test::ProgramTest {};

TEST_F(EveryCommand, TakesTheLastOfAnOptionGivenTwice) {
  for (const std::string command : {"bound", "instances"}) {
    const Outcome twice = run({command, "--seed", "1", "--seed", "2"});
    EXPECT_EQ(twice.exit_code, 0) << twice.err;
    EXPECT_EQ(twice.out, run({command, "--seed", "2"}).out);
    EXPECT_NE(twice.out, run({command, "--seed", "1"}).out);
  }
}

TEST_F(EveryCommand, StillTakesEveryItemOfAList) {
  const Outcome outcome = run({"simulate", "--problem", "mab:arms=1", "--policy", "uniform",
                               "--policy", "phe", "--rounds", "1", "--instances", "1", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("uniform"));
  EXPECT_THAT(outcome.out, HasSubstr("phe"));
  EXPECT_THAT(outcome.out, HasSubstr("after 1 round of 1 instance"));
  EXPECT_THAT(outcome.out, HasSubstr("mab, d = 1, 1 arm\n"));
}

TEST_F(EveryCommand, TakesCountsWithAnExponent) {
  const auto with_rounds = [&](const char* rounds) {
    return run({"bound", "--rounds", rounds, "--json"});
  };
  EXPECT_EQ(with_rounds("1e6").exit_code, 0) << with_rounds("1e6").err;
  EXPECT_EQ(with_rounds("1e6").out, with_rounds("1000000").out);
  EXPECT_EQ(with_rounds("1.5").exit_code, 2);
}

TEST_F(EveryCommand, IsExplainedByHelp) {
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help"}).exit_code, 0);
  EXPECT_EQ(run({"help", "simulate"}).out, run({"simulate", "--help"}).out);
  const Outcome outcome = run({"help", "simulat"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, StartsWith("phe: no command is called 'simulat'; did you mean "
                                      "'simulate'? (commands: "));
}

TEST_F(EveryCommand, SaysThatAnOptionNeedsAValue) {
  EXPECT_EQ(run({"bound", "--seed"}).err, "phe: --seed needs a value (see phe bound --help)\n");
}

}  // namespace
}  // namespace phe
