#include <fmt/format.h>

#include "description.hpp"
#include "output.hpp"
#include <phe/version.hpp>

namespace phe::app {

namespace {

// Text for roff: backslashes and hyphens are themselves, and no line is taken for a request.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string value_text(const OptionDescription& option) {
  return option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.value));
}

std::string option_text(const OptionDescription& option) {
  const std::string head = option.positional
                               ? fmt::format("\\fI{}\\fR", roff(option.value))
                               : fmt::format("\\fB{}\\fR", roff(option.name)) + value_text(option);
  return fmt::format(".TP\n{}{}\n{}\n", head, option.positional && option.repeated ? " ..." : "",
                     roff(option.about));
}

// Paragraphs as they are, and lines that are indented as examples.
std::string footer_text(std::string_view footer) {
  std::string out;
  bool example = false;
  while (!footer.empty()) {
    const auto end = std::min(footer.find('\n'), footer.size());
    const std::string_view line = footer.substr(0, end);
    footer.remove_prefix(std::min(end + 1, footer.size()));
    if (const bool indented = line.starts_with("  "); indented != example) {
      out += indented ? ".PP\n.nf\n" : ".fi\n";
      example = indented;
    }
    out += line.empty() ? ".PP\n" : roff(line) + '\n';
  }
  return out + (example ? ".fi\n" : "");
}

std::string command_text(const CommandDescription& command) {
  std::string usage = fmt::format("phe {} [\\fIOPTIONS\\fR]", command.name);
  for (const OptionDescription& option : command.options)
    if (option.positional)
      usage += fmt::format(" [\\fI{}\\fR{}]", roff(option.value), option.repeated ? "..." : "");
  std::string text = fmt::format(".SS {}\n{}.\n", usage, roff(command.about));
  for (const OptionDescription& option : command.options) text += option_text(option);
  return text + ".PP\n" + footer_text(command.footer);
}

std::string environment_text(const ProgramDescription& program) {
  std::string text;
  for (const CommandDescription& command : program.commands)
    for (const OptionDescription& option : command.options)
      if (const std::string item = fmt::format(".TP\n\\fB{}\\fR\nWhat \\fB{}\\fR is when it is not "
                                               "given.\n",
                                               option.variable, roff(option.name));
          !option.variable.empty() && text.find(item) == std::string::npos)
        text += item;
  return text;
}

}  // namespace

std::string man_page(const ProgramDescription& program) {
  std::string text = fmt::format(
      ".\\\" Made by `phe generate man` from the definitions of the command line; do not edit.\n"
      ".TH PHE 1 \"\" \"phe {}\" \"User Commands\"\n"
      ".SH NAME\nphe \\- perturbed\\-history exploration: simulate bandits, compare policies\n"
      ".SH SYNOPSIS\n\\fBphe\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.br\n\\fBphe\\fR "
      "\\fICOMMAND\\fR "
      "\\fB\\-\\-help\\fR\n"
      ".SH DESCRIPTION\n{}\n",
      roff(version), roff(program.self.about));
  for (const OptionDescription& option : program.self.options) text += option_text(option);
  text += ".SH COMMANDS\n";
  for (const CommandDescription& command : program.commands) text += command_text(command);
  text += ".SH ENVIRONMENT\n" + environment_text(program);
  text += fmt::format(
      ".SH EXIT STATUS\n.TP\n{}\nDone.\n.TP\n{}\nFailed: a file or the standard output could not "
      "be "
      "written.\n.TP\n{}\nBad input; a line on standard error says what is wrong.\n.TP\n{}\n"
      "Interrupted; with \\fB\\-\\-out\\fR the same command goes on.\n",
      exit_done, exit_failed, exit_bad_input, exit_interrupted);
  return text + ".SH EXAMPLES\n" + footer_text(program.self.footer) +
         ".SH SEE ALSO\n\\fBgnuplot\\fR(1), which draws the figures\n";
}

}  // namespace phe::app
