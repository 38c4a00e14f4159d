#include <algorithm>

#include "cli/program.hpp"

namespace phe {
namespace {

using test::Outcome;
using Words = std::vector<std::string>;

// One line on standard error with these words, exit code 2, and the results of an earlier
// experiment untouched.
class BadInput : public test::ProgramTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(run({"simulate", "--problem", "linear:d=3,arms=5", "--policy", "linphe:a=1",
                   "--rounds", "20", "--instances", "2", "--out", path("o")})
                  .exit_code,
              0);
  }

  void expect_refused(const Words& arguments, const Words& told) const {
    const auto before = test::contents_of(temporary_ / "o");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("phe: ")) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    for (const std::string& word : told)
      EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in " << outcome.err;
    EXPECT_EQ(test::contents_of(temporary_ / "o"), before);
  }
  // The experiment of the folder, with one flag more.
  void expect_flag_refused(const Words& flags, const Words& told) const {
    Words arguments = {"simulate", "--problem", "linear:d=3,arms=5", "--out", path("o")};
    if (flags.front() != "--policy") arguments.insert(arguments.end(), {"--policy", "linphe:a=1"});
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    expect_refused(arguments, told);
  }
  void expect_file_refused(std::string_view toml, const Words& told) const {
    test::put(temporary_ / "x.toml", toml);
    expect_refused({"simulate", path("x.toml"), "--out", path("o")}, told);
  }
};

TEST_F(BadInput, UnknownNamesAreAnsweredWithTheNearest) {
  expect_flag_refused({"--policy", "linpeh"}, {"'linpeh'", "did you mean 'linphe'?", "policies:"});
  expect_flag_refused({"--problem", "linaer"}, {"'linaer'", "did you mean 'linear'?"});
  expect_flag_refused({"--policy", "linphe:ridg=1"}, {"'ridg'", "did you mean 'ridge'?", "keys:"});
  expect_flag_refused({"--polcy", "linphe"}, {"'--polcy'", "did you mean '--policy'?"});
  expect_refused({"simulat"}, {"'simulat'", "did you mean 'simulate'?"});
}

TEST_F(BadInput, ValuesThatNoPolicyCanWorkWithAreNamed) {
  for (const char* const value : {"0", "-1", "nan", "inf", "x", "", "1e+300"})
    expect_flag_refused({"--policy", std::string("linphe:a=") + value}, {"linphe", " a ", value});
  for (const char* const value : {"0", "-1", "nan"})
    expect_flag_refused({"--policy", std::string("linphe:ridge=") + value}, {"ridge", value});
  expect_flag_refused({"--problem", "linear:d=0"}, {"linear", "d must be", "0"});
  expect_flag_refused({"--problem", "linear:arms=-3"}, {"linear", "arms must be", "'-3'"});
}

TEST_F(BadInput, CountsAreNamedWithTheirRange) {
  for (const char* const value : {"-5", "0", "1e-5", "ten", "99999999999999999999999", ""})
    expect_flag_refused({"--rounds", value},
                        {"--rounds must be a whole number from 1 to 1000000000, got '",
                         std::string("'") + value + "'"});
  expect_flag_refused({"--instances", "1000001"}, {"--instances", "1000000", "'1000001'"});
  expect_flag_refused({"--first-instance", "-1"}, {"--first-instance", "'-1'"});
  expect_flag_refused({"--seed", "-1"}, {"--seed", "'-1'"});
  expect_flag_refused({"--threads", "0"}, {"--threads", "from 1 to 1024", "'0'"});
  expect_flag_refused({"--rounds"}, {"--rounds needs a value"});
}

TEST_F(BadInput, NothingToDoIsToldWithAnExample) {
  expect_refused({}, {"no command given", "simulate"});
  expect_refused({"simulate"}, {"no problem given", "--problem linear"});
  expect_refused({"simulate", "--problem", "linear"}, {"no policy given", "--policy linphe"});
  expect_refused({"simulate", path("x.toml"), "more"}, {"'more' is not expected here"});
}

TEST_F(BadInput, AFolderOfAnotherExperimentIsLeftAlone) {
  expect_flag_refused({"--rounds", "30", "--instances", "2"},
                      {path("o") + " holds another experiment", "its rounds is 20, this one's 30",
                       "choose another --out"});
}

TEST_F(BadInput, AFolderThatCannotBeMadeIsNamed) {
  const std::string below_a_file = path("o") + "/runs.csv/x";
  expect_flag_refused({"--out", below_a_file}, {below_a_file, "Not a directory"});
  expect_flag_refused({"--out", ""}, {"--out must name a folder"});
}

TEST_F(BadInput, BrokenFilesAreToldWithTheirPlace) {
  expect_file_refused("rounds = = 3", {"x.toml:1:10: "});
  expect_file_refused("\nround = 3", {"x.toml:2:1: ", "did you mean 'rounds'?"});
  expect_file_refused("rounds = -3", {"x.toml:1:10: rounds must be", "'-3'"});
  expect_file_refused("policies = 'linphe'", {"policies must be an array of strings"});
  expect_refused({"simulate", path("none.toml")}, {"none.toml", "No such file"});
  expect_refused({"simulate", temporary_.path().string()}, {"is a folder"});
}

TEST_F(BadInput, UnknownSimdTargetsAreAnsweredWithAllValidOnes) {
  expect_flag_refused({"--simd", "mmx"}, {"'mmx'", "auto", "scalar"});
}

TEST_F(BadInput, ControlCharactersStayInOneLine) {
  expect_flag_refused({"--policy", "lin\nphe"}, {"'lin?phe'"});
}

}  // namespace
}  // namespace phe
