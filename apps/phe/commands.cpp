#include "commands.hpp"

#include <fmt/format.h>

#include "output.hpp"
#include "spec/nearest.hpp"
#include "version_text.hpp"

namespace phe::app {

namespace {

constexpr const char* about_phe =
    "Perturbed-history exploration for stochastic bandits: simulate policies, compare their "
    "regret.";

constexpr const char* examples_of_phe = R"(Examples:
  phe policies
  phe problems
  phe instances --problem linear:d=5
  phe simulate --problem linear:d=10,arms=100 --policy linphe:a=1 --policy linphe:a=0.5
  phe simulate experiments/linear.toml --out out/linear
  phe plot out/linear
  phe compare out/linear --against lints
  phe tune --problem linear:d=10 --policy linphe:a=0.01..4 --policy linucb:width=0.05..4
  phe bound --problem linear:d=10,arms=100 --rounds 10000
  phe verify --problem linear:d=5,arms=20
  phe growth --over rounds --policy linphe:a=0.5
  phe evaluate log.jsonl --target uniform
  phe reproduce --quick
  phe status out/linear
  phe view out/linear
  phe merge out/first-half out/second-half --out out/whole

phe COMMAND --help explains a command.)";

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

// The command that was named, or the program itself.
const CLI::App& named(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  const auto names = command_names(app);
  return fmt::format("no command is called '{}'{} (commands: {})", word, suggestion(word, names),
                     fmt::join(names, ", "));
}

std::string unexpected(const CLI::App& app, const std::string& word) {
  const CLI::App& where = named(app);
  const std::string help = &where == &app ? "phe --help" : "phe " + where.get_name() + " --help";
  if (word.starts_with('-'))
    return fmt::format("no option is called '{}'{} (see {})", word,
                       suggestion(word.substr(0, word.find('=')), option_names(where)), help);
  if (&where != &app) return fmt::format("'{}' is not expected here (see {})", word, help);
  return unknown_command(app, word);
}

int print_help(const CLI::App& app, const std::string& name) {
  const auto commands =
      app.get_subcommands([&](const CLI::App* c) { return c->get_name() == name; });
  if (!name.empty() && commands.empty()) return bad_input(unknown_command(app, name));
  fmt::print("{}", name.empty() ? app.get_formatter()->make_help(&app, app.get_name(),
                                                                 CLI::AppFormatMode::Normal)
                                : commands.front()->help(app.get_name()));
  return exit_done;
}

}  // namespace

void add_help_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("help", "Explain the program, or a command of it");
  const auto name = std::make_shared<std::string>();
  command->add_option("command", *name, "the command (none: the program)")->type_name("COMMAND");
  command->footer("Example:\n  phe help simulate");
  command->callback([&, name] { chosen = [&app, name] { return print_help(app, *name); }; });
}

void describe(CLI::App& app, Command& chosen) {
  app.name("phe");
  app.description(about_phe);
  app.footer(examples_of_phe);
  app.set_version_flag("--version", version_text,
                       "Print version, commit, compiler and instruction sets, and exit");
  // Given twice, the last value counts; lists take them all.
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.require_subcommand(1);
  add_simulate_command(app, chosen);
  add_reproduce_command(app, chosen);
  add_plot_command(app, chosen);
  add_compare_command(app, chosen);
  add_tune_command(app, chosen);
  add_status_command(app, chosen);
#ifdef PHE_HAS_VIEW
  add_view_command(app, chosen);
#endif
  add_merge_command(app, chosen);
  add_list_commands(app, chosen);
  add_instances_command(app, chosen);
  add_bound_command(app, chosen);
  add_verify_command(app, chosen);
  add_growth_command(app, chosen);
  add_help_command(app, chosen);
  add_generate_command(app, chosen);
  add_learn_command(app, chosen);
  add_evaluate_command(app, chosen);
}

int explain(CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return flushed(app.exit(error));
  const auto words = app.remaining(true);
  if (!words.empty()) return bad_input(unexpected(app, words.front()));
  if (app.get_subcommands().empty())
    return bad_input(fmt::format("no command given (commands: {}; see phe --help)",
                                 fmt::join(command_names(app), ", ")));
  const std::string message = error.what();
  if (error.get_name() != "ArgumentMismatch") return bad_input(message);
  return bad_input(fmt::format("{} needs a value (see phe {} --help)",
                               message.substr(0, message.find(':')), named(app).get_name()));
}

}  // namespace phe::app
