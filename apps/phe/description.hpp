// What the program understands, taken from the definitions that parse the command line: the manual
// and the completions of shells are made from it, and so cannot differ from what the program does.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace phe::app {

struct OptionDescription {
  std::string name;   // "--rounds", or that of a positional one: "file"
  std::string value;  // "N"; empty for a flag
  std::string about;
  std::string variable;     // of the environment; mostly empty
  bool positional = false;  // stands without a name
  bool repeated = false;    // may be given several times
};

struct CommandDescription {
  std::string name;
  std::string about;
  std::string footer;  // details and examples
  std::vector<OptionDescription> options;
};

struct ProgramDescription {
  CommandDescription self;  // the program without a command
  std::vector<CommandDescription> commands;
};

// Leaves out what is hidden from the help.
ProgramDescription description_of(const CLI::App& app);

// The values that an option takes, where they are few: names of policies, problems, axes. Empty
// where anything may stand.
std::vector<std::string> values_of(const OptionDescription& option);

// A page for man(1), and completions for each shell.
std::string man_page(const ProgramDescription& program);
std::string bash_completion(const ProgramDescription& program);
std::string zsh_completion(const ProgramDescription& program);
std::string fish_completion(const ProgramDescription& program);

}  // namespace phe::app
