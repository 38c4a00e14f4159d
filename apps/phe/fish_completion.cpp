#include <fmt/format.h>

#include "description.hpp"

namespace phe::app {

namespace {

std::string fish_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + '\'';
}

// The flags of `complete` for the value of an option.
std::string value_flags(const OptionDescription& option) {
  if (const auto values = values_of(option); !values.empty())
    return fmt::format(" -x -a {}", fish_word(fmt::format("{}", fmt::join(values, " "))));
  if (option.value == "DIR") return " -x -a '(__fish_complete_directories)'";
  if (option.value == "FILE") return " -r -F";
  return option.value.empty() ? "" : " -x";
}

std::string line_of(const std::string& when, const OptionDescription& option) {
  const std::string start = fmt::format("complete -c phe -n {}", fish_word(when));
  if (!option.positional)
    return fmt::format("{} -l {}{} -d {}\n", start, option.name.substr(2), value_flags(option),
                       fish_word(option.about));
  return option.value == "FILE" ? start + " -F\n" : start + " -a '(__fish_complete_directories)'\n";
}

}  // namespace

std::string fish_completion(const ProgramDescription& program) {
  std::string text =
      "# Completion of phe for fish. Made by `phe generate fish`; do not edit.\ncomplete -c phe "
      "-f\n";
  for (const OptionDescription& option : program.self.options)
    text += line_of("__fish_use_subcommand", option);
  for (const CommandDescription& command : program.commands) {
    text += fmt::format("complete -c phe -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_word(command.about));
    for (const OptionDescription& option : command.options)
      text += line_of("__fish_seen_subcommand_from " + command.name, option);
  }
  return text;
}

}  // namespace phe::app
