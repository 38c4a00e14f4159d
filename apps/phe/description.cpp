#include "description.hpp"

#include <phe/registry.hpp>

namespace phe::app {

namespace {

OptionDescription description_of(const CLI::Option& option) {
  const bool flag = option.get_type_size_max() == 0;
  const bool positional = option.get_positional();
  return {.name = positional ? option.get_name(true) : "--" + option.get_lnames().front(),
          .value = flag ? "" : option.get_type_name(),
          .about = option.get_description(),
          .variable = option.get_envname(),
          .positional = positional,
          .repeated = option.get_items_expected_max() > 1 &&
                      option.get_multi_option_policy() != CLI::MultiOptionPolicy::TakeLast};
}

CommandDescription command_description(const CLI::App& app) {
  CommandDescription command{app.get_name(), app.get_description(), app.get_footer(), {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) command.options.push_back(description_of(*option));
  return command;
}

template <class Entries>
std::vector<std::string> names_of(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry->name);
  return names;
}

}  // namespace

ProgramDescription description_of(const CLI::App& app) {
  ProgramDescription program{command_description(app), {}};
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (!command->get_group().empty()) program.commands.push_back(command_description(*command));
  return program;
}

std::vector<std::string> values_of(const OptionDescription& option) {
  const auto is = [&](std::string_view name) { return option.name == name; };
  if (is("--policy") || is("--against")) return names_of(Registry::built_in().policies());
  if (is("--problem")) return names_of(Registry::built_in().problems());
  if (is("--only")) return {"linear", "logistic"};
  if (is("--over")) return {"rounds", "d"};
  if (is("--log")) return {"x", "y", "xy"};
  if (is("--simd")) return {"auto", "avx3", "avx2", "sse4", "scalar"};
  return {};
}

}  // namespace phe::app
