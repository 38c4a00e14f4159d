#include <fmt/format.h>

#include "description.hpp"

namespace phe::app {

namespace {

// Within single quotes, and with what _arguments and _describe take for theirs made plain.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out;
}

std::string action_of(const OptionDescription& option) {
  if (const auto values = values_of(option); !values.empty())
    return fmt::format("({})", fmt::join(values, " "));
  if (option.value == "DIR") return "_files -/";
  if (option.value == "FILE") return "_files";
  return " ";
}

std::string argument_of(const OptionDescription& option) {
  const std::string value = fmt::format(":{}:{}", escaped(option.value), action_of(option));
  if (option.positional) return fmt::format("'{}{}'", option.repeated ? "*" : "1", value);
  return fmt::format("'{}{}[{}]{}'", option.repeated ? "*" : "", option.name, escaped(option.about),
                     option.value.empty() ? "" : value);
}

std::string arguments_of(const CommandDescription& command) {
  std::string text = "_arguments";
  for (const OptionDescription& option : command.options)
    text += " \\\n          " + argument_of(option);
  return text;
}

}  // namespace

std::string zsh_completion(const ProgramDescription& program) {
  std::string names;
  std::string cases;
  for (const CommandDescription& command : program.commands) {
    names += fmt::format("        '{}:{}'\n", command.name, escaped(command.about));
    cases += fmt::format("        {})\n          {} ;;\n", command.name, arguments_of(command));
  }
  std::string own;
  for (const OptionDescription& option : program.self.options) own += ' ' + argument_of(option);
  return fmt::format(R"(#compdef phe
# Completion of phe for zsh. Made by `phe generate zsh`; do not edit.
_phe() {{
  local context state state_descr line
  typeset -A opt_args
  _arguments -C{} '1: :->command' '*:: :->arguments'
  case $state in
    command)
      local -a commands=(
{}      )
      _describe -t commands command commands ;;
    arguments)
      case $words[1] in
{}      esac ;;
  esac
}}
_phe "$@"
)",
                     own, names, cases);
}

}  // namespace phe::app
