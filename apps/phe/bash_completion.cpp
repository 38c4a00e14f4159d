#include <fmt/format.h>

#include "description.hpp"

namespace phe::app {

namespace {

// What completes the value of an option: a command that sets COMPREPLY.
std::string reply_to(const OptionDescription& option) {
  if (const auto values = values_of(option); !values.empty())
    return fmt::format("_phe_words {}", fmt::join(values, " "));
  if (option.value == "DIR") return "_phe_files -d";
  if (option.value == "FILE") return "_phe_files -f";
  return ":";
}

std::string command_case(const CommandDescription& command) {
  std::string by_option;
  std::string options;
  std::string positional = ":";
  for (const OptionDescription& option : command.options) {
    if (option.positional) {
      positional = reply_to(option);
      continue;
    }
    options += ' ' + option.name;
    if (!option.value.empty())
      by_option += fmt::format("        {}) {} ;;\n", option.name, reply_to(option));
  }
  return fmt::format(
      "    {})\n      case $before in\n{}        *) case $word in -*) _phe_words{} ;; *) {} ;; "
      "esac "
      ";;\n      esac ;;\n",
      command.name, by_option, options, positional);
}

constexpr std::string_view head =
    R"(# Completion of phe for bash. Made by `phe generate bash`; do not edit.
_phe_words() { mapfile -t COMPREPLY < <(compgen -W "$*" -- "$word"); }
_phe_files() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen "$1" -- "$word"); }

_phe() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=
  ((COMP_CWORD == 1)) || command=${COMP_WORDS[1]}
  COMPREPLY=()
  case $command in
)";

}  // namespace

std::string bash_completion(const ProgramDescription& program) {
  std::string words;
  for (const CommandDescription& command : program.commands) words += ' ' + command.name;
  for (const OptionDescription& option : program.self.options) words += ' ' + option.name;
  std::string text = fmt::format("{}    '') _phe_words{} ;;\n", head, words);
  for (const CommandDescription& command : program.commands) text += command_case(command);
  return text + "  esac\n}\ncomplete -F _phe phe\n";
}

}  // namespace phe::app
