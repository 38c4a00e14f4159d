// phe merge: joins results folders whose runs were done apart.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "command_line.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "record/merge.hpp"
#include "record/results_folder.hpp"
#include <phe/simulate.hpp>

namespace phe::app {

namespace {

constexpr const char* about_merge =
    "Join results folders whose runs were done apart, on several machines";

constexpr const char* examples_of_merge =
    R"(The folders may differ in problems, policies and instances, and need not be finished; rounds, seed,
checkpoints, columns and draws must be the same. A run that two folders have counts once. Files that a
problem is read from count by their contents, and are taken from the folders' copies. When all runs are
in, the tables are those of one machine, byte for byte; else it says how to do the missing ones.

Example:
  phe simulate experiments/linear.toml --instances 50 --out out/first-half
  phe simulate experiments/linear.toml --instances 50 --first-instance 50 --out out/second-half
  phe merge out/first-half out/second-half --out out/whole)";

struct MergeFlags {
  std::vector<std::string> folders;
  std::string out;
};

// Keeps runs that the folder has not got yet. True when all are there now.
Result<bool> fill(ResultsFolder& folder, const Merged& merged) {
  if (auto done = folder.prepare(); !done) return done.error();
  for (const RunId& id : folder.missing())
    if (const auto run = merged.runs.find(id); run != merged.runs.end())
      if (auto done = folder.add(run->second); !done) return done.error();
  if (!folder.missing().empty()) return false;
  if (auto done = folder.finish(merged.machine); !done) return done.error();
  return true;
}

int run_merge(const MergeFlags& flags) {
  if (flags.folders.size() < 2)
    return bad_input("merge needs at least two results folders (see phe merge --help)");
  if (flags.out.empty()) return bad_input("merge needs --out DIR, the folder of all runs");
  const auto merged = merge_folders({flags.folders.begin(), flags.folders.end()});
  if (!merged) return bad_input(merged.error().message);
  const Registry registry = Registry::built_in();
  const auto plan = plan_of(merged.value(), registry);
  if (!plan) return bad_input(plan.error().message);
  auto folder = ResultsFolder::open(flags.out, plan.value());
  if (!folder) return bad_input(folder.error().message);
  const auto complete = fill(folder.value(), merged.value());
  if (!complete) return failed(complete.error().message);
  fmt::print("{} of {} in {}\n", counted(folder->runs().size(), "run"),
             counted(plan->experiment().instances, "instance"), flags.out);
  if (!complete.value())
    say(fmt::format("{} in none of the folders; this does what is missing:\n  {}\n",
                    folder->missing().size() == 1
                        ? "1 run is"
                        : fmt::format("{} runs are", folder->missing().size()),
                    simulate_command(plan->experiment(), flags.out)));
  return exit_done;
}

}  // namespace

void add_merge_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("merge", about_merge);
  const auto flags = std::make_shared<MergeFlags>();
  command->add_option("folders", flags->folders, "results folders")->type_name("DIR");
  command->add_option("--out", flags->out, "results folder to make")->type_name("DIR");
  command->footer(examples_of_merge);
  command->callback([&chosen, flags] { chosen = [flags] { return run_merge(*flags); }; });
}

}  // namespace phe::app
