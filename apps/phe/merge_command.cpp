// phe merge: joins results folders of one experiment, whose instances were done apart.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands.hpp"
#include "output.hpp"
#include "record/merge.hpp"
#include "record/results_folder.hpp"
#include <phe/simulate.hpp>

namespace phe::app {

namespace {

constexpr const char* about = "Join results folders of one experiment, done on several machines";

constexpr const char* examples =
    R"(The folders must be finished, of the same experiment, seed and draws, with instances that follow
on each other and do not overlap. Files that a problem is read from count by their contents, and are
taken from the folders' copies. The tables then are those of one machine, byte for byte.

Example:
  phe simulate experiments/linear.toml --instances 50 --out out/first-half
  phe simulate experiments/linear.toml --instances 50 --first-instance 50 --out out/second-half
  phe merge out/first-half out/second-half --out out/whole)";

struct MergeFlags {
  std::vector<std::string> folders;
  std::string out;
};

// Keeps runs that the folder has not got yet.
Result<void> fill(ResultsFolder& folder, const Merged& merged) {
  if (auto done = folder.prepare(); !done) return done;
  for (const RunId& id : folder.missing())
    if (auto done = folder.add(merged.runs.at(id)); !done) return done;
  return folder.finish(merged.machine);
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
  if (auto done = fill(folder.value(), merged.value()); !done) return failed(done.error().message);
  fmt::print("{} of {} in {}\n", counted(merged->runs.size(), "run"),
             counted(plan->experiment().instances, "instance"), flags.out);
  return exit_done;
}

}  // namespace

void add_merge_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("merge", about);
  const auto flags = std::make_shared<MergeFlags>();
  command->add_option("folders", flags->folders, "results folders, finished")->type_name("DIR");
  command->add_option("--out", flags->out, "results folder to make")->type_name("DIR");
  command->footer(examples);
  command->callback([&chosen, flags] { chosen = [flags] { return run_merge(*flags); }; });
}

}  // namespace phe::app
