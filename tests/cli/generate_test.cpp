#include <array>
#include <cstdio>
#include <sstream>

#include "cli/program.hpp"

namespace phe::test {
namespace {

class Generate : public ProgramTest {
 protected:
  // What the program makes, in a file whose name is returned.
  [[nodiscard]] std::string made(const std::string& what) const {
    const Outcome outcome = run({"generate", what});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    put(path(what), outcome.out);
    return path(what);
  }
  // Both outputs of a shell command.
  static std::string said(const std::string& command) {
    std::string text;
    std::array<char, 256> buffer{};
    FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
    ::pclose(pipe);
    return text;
  }
  static bool installed(const std::string& program) {
    return !said("command -v " + program).empty();
  }
  // What bash offers after these words, of which the last may be begun.
  [[nodiscard]] std::string offered(const std::string& words) const {
    put(path("ask.bash"), "compopt() { :; }\nsource " + path("bash") + "\nCOMP_WORDS=(" + words +
                              ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_phe\n" +
                              "echo \"${COMPREPLY[@]}\"\n");
    return said("bash " + path("ask.bash"));
  }
};

// The words of --help that begin with "--".
std::vector<std::string> options_in(const std::string& help) {
  std::vector<std::string> options;
  std::istringstream words(help.substr(0, help.find("Example")));
  for (std::string word; words >> word;)
    if (word.starts_with("--")) options.push_back(word.substr(0, word.find_first_of(",;:.)")));
  return options;
}

constexpr std::array commands = {"simulate", "reproduce", "plot",  "compare", "merge", "policies",
                                 "problems", "instances", "bound", "verify",  "growth"};

TEST_F(Generate, IsHiddenFromTheHelp) {
  EXPECT_EQ(run({"--help"}).out.find("generate"), std::string::npos);
  EXPECT_EQ(run({"nothing"}).err.find("generate"), std::string::npos);
  EXPECT_EQ(run({"generate", "csh"}).exit_code, 2);
}

TEST_F(Generate, EveryFormHasEveryCommandAndOptionOfTheHelp) {
  std::string man = bytes_of(made("man"));
  for (auto at = man.find("\\-"); at != std::string::npos; at = man.find("\\-", at))
    man.replace(at, 2, "-");
  const std::string bash = bytes_of(made("bash"));
  const std::string zsh = bytes_of(made("zsh"));
  const std::string fish = bytes_of(made("fish"));
  for (const char* const command : commands) {
    const auto options = options_in(run({command, "--help"}).out);
    ASSERT_FALSE(options.empty());
    for (const std::string& option : options) {
      SCOPED_TRACE(std::string(command) + " " + option);
      EXPECT_NE(man.find(option), std::string::npos);
      EXPECT_NE(bash.find(option), std::string::npos);
      EXPECT_NE(zsh.find(option + '['), std::string::npos);
      EXPECT_NE(fish.find(std::string("_from ") + command + "' -l " + option.substr(2) + " "),
                std::string::npos);
    }
    EXPECT_NE(man.find(std::string(".SS phe ") + command), std::string::npos);
  }
}

TEST_F(Generate, TheManualIsSetWithoutAWarning) {
  const std::string page = made("man");
  if (!installed("groff")) GTEST_SKIP() << "there is no groff";
  EXPECT_EQ(said("groff -man -K utf8 -T utf8 -ww -z " + page), "");
  const std::string text = said("groff -man -K utf8 -T utf8 -P -bcou " + page);
  for (const char* const part : {"--rounds N", "PHE_SIMD", "130", "linphe:a=0.5", "EXIT STATUS"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST_F(Generate, BashCompletesCommandsOptionsAndValues) {
  static_cast<void>(made("bash"));
  if (!installed("bash")) GTEST_SKIP() << "there is no bash";
  EXPECT_EQ(offered("phe si"), "simulate\n");
  EXPECT_EQ(offered("phe --v"), "--version\n");
  EXPECT_EQ(offered("phe simulate --rou"), "--rounds\n");
  EXPECT_EQ(offered("phe plot --rou"), "\n");
  EXPECT_EQ(offered("phe simulate --policy linp"), "linphe\n");
  EXPECT_EQ(offered("phe simulate --problem lo"), "logistic\n");
  EXPECT_EQ(offered("phe plot --log ''"), "x y xy\n");
  EXPECT_EQ(offered("phe simulate --rounds ''"), "\n");
  std::filesystem::create_directory(path("a folder"));
  EXPECT_EQ(offered("phe compare '" + path("a f") + "'"), path("a folder") + "\n");
  EXPECT_EQ(offered("phe simulate --out '" + path("ma") + "'"), "\n");
}

TEST_F(Generate, ZshAndFishTakeTheirCompletions) {
  for (const char* const shell : {"zsh", "fish"}) {
    const std::string file = made(shell);
    if (!installed(shell)) continue;
    EXPECT_EQ(said(std::string(shell) + " -n " + file), "") << shell;
  }
  if (!installed("fish")) return;
  const auto complete = [&](const std::string& line) {
    return said("fish --no-config -c \"source " + path("fish") + "; complete -C '" + line + "'\"");
  };
  EXPECT_TRUE(complete("phe sim").starts_with("simulate\t"));
  EXPECT_TRUE(complete("phe simulate --policy linp").starts_with("linphe"));
  EXPECT_EQ(complete("phe plot --rou"), "");
}

}  // namespace
}  // namespace phe::test
