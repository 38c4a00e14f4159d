// phe policies, phe problems: what can be asked for by name.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "output.hpp"
#include <phe/registry.hpp>

namespace phe::app {

namespace {

using Json = nlohmann::ordered_json;

std::string assignment(const ParameterInfo& key) {
  return fmt::format("{}={}", key.key, key.default_value);
}

template <class Entries>
void print_text(const Entries& entries) {
  for (const auto& entry : entries) {
    fmt::print("{}\n  {}\n", entry->name, entry->summary);
    std::size_t width = 0;
    for (const auto& key : entry->parameters) width = std::max(width, assignment(key).size());
    for (const auto& key : entry->parameters)
      fmt::print("    {:{}}  {}\n", assignment(key), width, key.meaning);
    fmt::print("\n");
  }
}

template <class Entries>
void print_json(const Entries& entries) {
  Json list = Json::array();
  for (const auto& entry : entries) {
    Json keys = Json::array();
    for (const auto& key : entry->parameters)
      keys.push_back({{"key", key.key}, {"default", key.default_value}, {"meaning", key.meaning}});
    list.push_back({{"name", entry->name}, {"summary", entry->summary}, {"keys", keys}});
  }
  fmt::print("{}\n", list.dump(2));
}

template <class Entries>
int print_list(const Entries& entries, bool json, std::string_view usage) {
  if (json) {
    print_json(entries);
  } else {
    print_text(entries);
    fmt::print("{}\n", usage);
  }
  return exit_done;
}

// A command that prints what `list(registry, json)` does.
template <class List>
void add_list(CLI::App& app, Command& chosen, const char* name, const char* about,
              const char* example, List list) {
  CLI::App* const command = app.add_subcommand(name, about);
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print JSON instead of text");
  command->footer(example);
  command->callback(
      [&chosen, json, list] { chosen = [=] { return list(Registry::built_in(), *json); }; });
}

}  // namespace

void add_list_commands(CLI::App& app, Command& chosen) {
  add_list(app, chosen, "policies", "List the policies, their keys, defaults and meaning",
           "Example:\n  phe policies", [](const Registry& registry, bool json) {
             return print_list(registry.policies(), json,
                               "Use as --policy NAME:KEY=VALUE,KEY=VALUE; a key left out has the "
                               "value shown.");
           });
  add_list(app, chosen, "problems", "List the problems, their keys, defaults and meaning",
           "Example:\n  phe problems --json", [](const Registry& registry, bool json) {
             return print_list(registry.problems(), json,
                               "Use as --problem NAME:KEY=VALUE,KEY=VALUE; a key left out has the "
                               "value shown.");
           });
}

}  // namespace phe::app
