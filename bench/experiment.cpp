// The paper's linear experiment on one and on two threads; and, with fewer instances, what of it is
// not the policies' own work.
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "phe/simulate.hpp"
#include "record/results_folder.hpp"
#include "support/rounds.hpp"

namespace phe::bench {

namespace {

const Registry& registry() {
  static const Registry instance = Registry::built_in();
  return instance;
}

Plan linear_plan(std::uint64_t instances) {
  Experiment experiment;
  experiment.problems = {"linear:d=5", "linear:d=10", "linear:d=20"};
  for (const auto* policy :
       {"linphe:a=2", "linphe:a=1", "linphe:a=0.5", "lints", "linucb", "lineps"})
    if (registry().policy(policy)) experiment.policies.emplace_back(policy);
  experiment.rounds = rounds_of_a_run();
  experiment.instances = instances;
  experiment.seed = seed;
  return Plan::create(experiment, registry()).value();
}

void count_rounds(benchmark::State& state, const Plan& plan) {
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(plan.runs().size() * plan.experiment().rounds));
}

// As `phe simulate --out` does it: draw the instances, run, keep every run, write the tables.
void whole(benchmark::State& state, unsigned threads, std::uint64_t instances) {
  const Plan plan = linear_plan(instances);
  const auto folder =
      std::filesystem::temp_directory_path() / ("phe-bench-" + std::to_string(::getpid()));
  for (auto _ : state) {
    state.PauseTiming();
    std::filesystem::remove_all(folder);
    state.ResumeTiming();
    auto results = ResultsFolder::open(folder, plan);
    if (!results || !results->prepare()) state.SkipWithError("cannot write results");
    SimulateOptions options;
    options.threads = threads;
    options.on_run = [&](const RunResult& run) {
      if (!results->add(run)) state.SkipWithError("cannot write results");
    };
    if (!simulate(plan, plan.runs(), options) || !results->finish({"", "", threads}))
      state.SkipWithError("cannot write results");
  }
  std::filesystem::remove_all(folder);
  count_rounds(state, plan);
}

// A run as the policy alone sees it: the rewards are known, nothing is recorded.
struct Replay {
  std::shared_ptr<const Instance> bandit;
  const PolicySpec* policy;
  StreamKey key;
  std::vector<double> rewards;

  [[nodiscard]] std::unique_ptr<Policy> make() const {
    return policy->make({bandit->arms(), rewards.size(), {}}).value();
  }
};

Replay record(const Plan& plan, RunId id) {
  const ProblemSpec& problem = plan.problems()[id.problem];
  const PolicySpec& spec = plan.policies()[id.policy];
  const StreamKey key =
      StreamKey(plan.experiment().seed).with(problem.parameters.canonical()).with(id.instance);
  Replay run{problem.problem->draw(key).value(), &spec,
             key.with(Stream::policy).with(spec.parameters.canonical()),
             std::vector<double>(plan.experiment().rounds)};
  const auto policy = run.make();
  Rng rng(run.key);
  for (std::size_t t = 0; t < run.rewards.size(); ++t) {
    const ArmId arm = policy->select(rng);
    policy->update(arm, run.rewards[t] = run.bandit->reward(t, arm));
  }
  return run;
}

void policies_alone(benchmark::State& state, std::uint64_t instances) {
  const Plan plan = linear_plan(instances);
  std::vector<Replay> replays;
  for (const RunId id : plan.runs()) replays.push_back(record(plan, id));
  for (auto _ : state)
    for (const Replay& run : replays) {
      const auto policy = run.make();
      Rng rng(run.key);
      for (const double reward : run.rewards) policy->update(policy->select(rng), reward);
    }
  count_rounds(state, plan);
}

}  // namespace

void register_benchmarks() {
  constexpr std::uint64_t few = 4;
  for (const unsigned threads : {1U, 2U})
    benchmark::RegisterBenchmark(("experiment/threads:" + std::to_string(threads)).c_str(), whole,
                                 threads, 100)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  benchmark::RegisterBenchmark("experiment/whole", whole, 1, few)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("experiment/policies", policies_alone, few)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace phe::bench
