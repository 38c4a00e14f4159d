#include "measure.hpp"

#include "do_runs.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "spec/check_policies.hpp"
#include "spec/numbers.hpp"
#include "spec/plan_memory.hpp"

namespace phe::app {

namespace {

Measured stopped(int exit_code) { return {exit_code}; }

Result<std::vector<std::pair<Plan, Runs>>> planned(std::vector<Experiment> experiments,
                                                   std::uint64_t instances, unsigned threads,
                                                   const Registry& registry) {
  std::vector<std::pair<Plan, Runs>> parts;
  for (Experiment& experiment : experiments) {
    experiment.instances = instances;
    auto plan = Plan::create(std::move(experiment), registry);
    if (!plan) return plan.error();
    if (auto done = check_plan_memory(plan.value(), threads, false); !done) return done.error();
    if (auto done = check_policies(plan.value()); !done) return done.error();
    parts.emplace_back(std::move(plan).value(), Runs{});
  }
  return parts;
}

}  // namespace

void MeasureFlags::add_to(CLI::App& command, const std::string& about_policy,
                          const std::string& about_instances) {
  command.add_option("--policy", policies, about_policy)
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command.add_option("--instances", instances, about_instances)->type_name("N");
  add_threads(command, threads);
  add_quiet(command, quiet);
}

Measured measure(std::vector<Experiment> experiments, const MeasureFlags& flags,
                 std::uint64_t default_instances, const Registry& registry) {
  std::uint64_t instances = default_instances;
  unsigned threads = default_threads();
  for (auto& done : {read_count("--instances", instances_range, flags.instances, instances),
                     read_count("--threads", threads_range, flags.threads, threads)})
    if (!done) return stopped(bad_input(done.error().message));
  auto made = planned(std::move(experiments), instances, threads, registry);
  if (!made) return stopped(bad_input(made.error().message));
  auto parts = std::move(made).value();

  catch_interrupts();
  const Runs none;
  std::vector<Work> works;
  works.reserve(parts.size());
  for (auto& [plan, runs] : parts)
    works.push_back({&plan, &none, plan.runs(), [&kept = runs](const RunResult& run) {
                       kept.emplace(run.id, run);
                       return Result<void>();
                     }});
  const auto done = do_runs(works, threads, flags.quiet);
  if (!done) return stopped(failed(done.error().message));
  if (!done.value()) {
    tell("interrupted");
    return stopped(exit_interrupted);
  }
  return {0, std::move(parts)};
}

}  // namespace phe::app
