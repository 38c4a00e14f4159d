// The commands of the program, and how the command line is understood.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace phe::app {

// What the command line asks for; returns the exit code.
using Command = std::function<int()>;

// Tells `app` all commands and options. Parsing then sets `chosen`.
void describe(CLI::App& app, Command& chosen);
// Prints the help or version that was asked for, or what is wrong with the command line, with the
// nearest option or command. Returns the exit code.
int explain(CLI::App& app, const CLI::ParseError& error);

// "phe 0.1.0 (3ad65bf, GCC 12.2.0, AVX2)": version, commit, compiler, and the instruction set that
// is used on this machine.
std::string version_text();

// Each adds itself to `app`.
void add_simulate_command(CLI::App& app, Command& chosen);
void add_reproduce_command(CLI::App& app, Command& chosen);
void add_plot_command(CLI::App& app, Command& chosen);
void add_compare_command(CLI::App& app, Command& chosen);
void add_tune_command(CLI::App& app, Command& chosen);
void add_status_command(CLI::App& app, Command& chosen);
void add_view_command(CLI::App& app, Command& chosen);  // where it is built
void add_merge_command(CLI::App& app, Command& chosen);
void add_list_commands(CLI::App& app, Command& chosen);
void add_instances_command(CLI::App& app, Command& chosen);
void add_bound_command(CLI::App& app, Command& chosen);
void add_verify_command(CLI::App& app, Command& chosen);
void add_growth_command(CLI::App& app, Command& chosen);
void add_help_command(CLI::App& app, Command& chosen);
void add_generate_command(CLI::App& app, Command& chosen);
void add_learn_command(CLI::App& app, Command& chosen);
void add_evaluate_command(CLI::App& app, Command& chosen);

}  // namespace phe::app
