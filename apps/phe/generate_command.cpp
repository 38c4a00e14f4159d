// phe generate: the manual and the completions, for the build that installs them. Not in the help.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "commands.hpp"
#include "description.hpp"
#include "output.hpp"

namespace phe::app {

namespace {

int run_generate(const CLI::App& app, const std::string& what) {
  constexpr std::pair<std::string_view, std::string (*)(const ProgramDescription&)> makers[] = {
      {"man", man_page},
      {"bash", bash_completion},
      {"zsh", zsh_completion},
      {"fish", fish_completion}};
  for (const auto& [name, make] : makers) {
    if (name != what) continue;
    fmt::print("{}", make(description_of(app)));
    return exit_done;
  }
  return bad_input(fmt::format("generate makes man, bash, zsh or fish, got '{}'", what));
}

}  // namespace

void add_generate_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("generate", "Make the manual or a completion");
  command->group("");
  const auto what = std::make_shared<std::string>();
  command->add_option("what", *what, "man, bash, zsh or fish")->type_name("WHAT");
  command->callback([&, what] { chosen = [&app, what] { return run_generate(app, *what); }; });
}

}  // namespace phe::app
