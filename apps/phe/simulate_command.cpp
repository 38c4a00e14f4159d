// phe simulate: runs an experiment, keeps its runs, prints its table.
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "commands.hpp"
#include "do_runs.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "record/curves.hpp"
#include "record/results_folder.hpp"
#include "simulate_flags.hpp"
#include "simulate_log.hpp"
#include "spec/check_policies.hpp"
#include "spec/plan_memory.hpp"
#include "table.hpp"
#include <phe/simd.hpp>
#include <phe/simulate.hpp>

namespace phe::app {

namespace {

constexpr const char* about_simulate =
    "Run policies on random problem instances and report their regret";

constexpr const char* examples_of_simulate =
    R"(With --out every finished run is kept: interrupt with Ctrl-C, continue with the same command. With
more problems, policies or instances it does what is missing.

Examples:
  phe simulate --problem linear:d=10,arms=100 --policy linphe:a=1 --policy linphe:a=0.5
  phe simulate --problem 'linear:d=5|10' --policy 'linphe:a=0.1|0.25|0.5|1' --out out/grid
  phe simulate experiments/linear.toml --out out/linear
  phe simulate --problem linear:contexts --policy linphe:a=1 --log log.jsonl.gz --decide floor=0.05
  phe simulate experiments/linear.toml --instances 10 --rounds 1000 --json)";

// Where finished runs go: a folder, or memory alone.
struct Store {
  std::optional<ResultsFolder> folder;
  Runs in_memory;

  [[nodiscard]] const Runs& runs() const { return folder ? folder->runs() : in_memory; }
  Result<void> add(const RunResult& run) {
    if (folder) return folder->add(run);
    in_memory.emplace(run.id, run);
    return {};
  }
};

std::string interrupted_text(const Store& store, std::size_t total) {
  const std::size_t done = store.runs().size();
  if (store.folder)
    return fmt::format("interrupted: {} of {} runs are kept in {}; the same command goes on", done,
                       total, store.folder->path().string());
  return fmt::format("interrupted: {} of {} runs were done; give --out to keep them", done, total);
}

// What can be done with a finished folder. One policy alone, or on one instance, compares with
// none.
std::string next_steps(const std::string& out, const Plan& plan) {
  const std::string folder = shell_word(out);
  std::string text = fmt::format("\nphe plot {} draws these curves", folder);
  if (plan.policies().size() > 1 && plan.experiment().instances > 1)
    text += fmt::format("; phe compare {} tests the differences", folder);
  return text + '\n';
}

int simulate_plan(const Plan& plan, const SimulateRequest& request, const SimulateFlags& flags) {
  Store store;
  std::vector<RunId> missing = plan.runs();
  if (!request.out.empty()) {
    auto folder = ResultsFolder::open(request.out, plan);
    if (!folder) return bad_input(folder.error().message);
    store.folder = std::move(folder).value();
    missing = store.folder->missing();
    for (const std::string& warning : store.folder->warnings()) tell(warning);
    if (!flags.quiet) announce(*store.folder, missing.size());
    if (auto done = store.folder->prepare(); !done) return failed(done.error().message);
  }
  if (!missing.empty()) {
    const std::size_t total = store.runs().size() + missing.size();
    const Work work{&plan, &store.runs(), std::move(missing),
                    [&](const RunResult& run) { return store.add(run); }};
    const auto complete = do_runs({work}, request.threads, flags.quiet);
    if (!complete) return failed(complete.error().message);
    if (!complete.value()) {
      tell(interrupted_text(store, total));
      return exit_interrupted;
    }
  }
  if (store.folder) {
    const Machine machine = machine_with(flags.simd, request.threads);
    if (auto done = store.folder->finish(machine); !done) return failed(done.error().message);
  }
  const auto curves = curves_of(plan, store.runs());
  fmt::print("{}", flags.json ? table_json(plan, curves) : table_text(plan, curves));
  if (!store.folder || flags.quiet) return exit_done;
  std::fflush(stdout);  // so that the table stands before this
  say(next_steps(request.out, plan));
  return exit_done;
}

int run_simulate(const SimulateFlags& flags) {
  if (auto done = use_simd_target(flags.simd); !done) return bad_input(done.error().message);
  const auto request = request_from(flags);
  if (!request) return bad_input(request.error().message);
  const Registry registry = Registry::built_in();
  const auto plan = Plan::create(request->experiment, registry, request->locate);
  if (!plan) return bad_input(plan.error().message);
  if (auto done = check_plan_memory(plan.value(), request->threads, !request->out.empty()); !done)
    return bad_input(done.error().message);
  if (auto done = check_policies(plan.value()); !done) return bad_input(done.error().message);
  catch_interrupts();
  if (flags.log) return simulate_log(plan.value(), flags);
  return simulate_plan(plan.value(), request.value(), flags);
}

}  // namespace

void add_simulate_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("simulate", about_simulate);
  const auto flags = std::make_shared<SimulateFlags>();
  flags->add_to(*command);
  command->footer(examples_of_simulate);
  command->callback([&chosen, flags] { chosen = [flags] { return run_simulate(*flags); }; });
}

}  // namespace phe::app
