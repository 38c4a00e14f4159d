// The paper's linear experiment on one and on two threads; and, with fewer instances, what of it is
// not the policies' own work.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <numeric>

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

constexpr std::uint64_t few_instances = 4;

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

std::filesystem::path results_path() {
  return std::filesystem::temp_directory_path() / ("phe-bench-" + std::to_string(::getpid()));
}

// As `phe simulate --out` does it: draw the instances, run, keep every run, write the tables.
void on_threads(benchmark::State& state, unsigned threads) {
  const Plan plan = linear_plan(100);
  const auto folder = results_path();
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

// The sum of the best times of each part, each part done ten times. A part takes milliseconds, so
// that a spell of other work on the machine hits few of them in all ten.
class BestOfParts {
 public:
  static constexpr int times = 10;

  explicit BestOfParts(std::size_t parts) : best_(parts, std::numeric_limits<double>::infinity()) {}

  template <class Work>
  void time(std::size_t part, Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best_[part] = std::min(best_[part], taken.count());
  }
  [[nodiscard]] double sum() const { return std::accumulate(best_.begin(), best_.end(), 0.0); }

 private:
  std::vector<double> best_;
};

// The same run by run on this thread: instance, policy, rewards and journal; then the tables.
void whole(benchmark::State& state) {
  const Plan plan = linear_plan(few_instances);
  const auto ids = plan.runs();
  const auto folder = results_path();
  for (auto _ : state) {
    BestOfParts parts(ids.size() + 1);
    for (int i = 0; i < BestOfParts::times; ++i) {
      std::filesystem::remove_all(folder);
      auto results = ResultsFolder::open(folder, plan);
      if (!results || !results->prepare()) state.SkipWithError("cannot write results");
      SimulateOptions options;
      options.on_run = [&](const RunResult& run) {
        if (!results->add(run)) state.SkipWithError("cannot write results");
      };
      for (std::size_t r = 0; r < ids.size(); ++r)
        parts.time(r, [&] {
          if (!simulate(plan, std::vector{ids[r]}, options)) state.SkipWithError("cannot run");
        });
      parts.time(ids.size(), [&] {
        if (!results->finish({"", "", 1})) state.SkipWithError("cannot write results");
      });
    }
    state.SetIterationTime(parts.sum());
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
    static_cast<void>(policy->update(arm, run.rewards[t] = run.bandit->reward(t, arm)));
  }
  return run;
}

void policies_alone(benchmark::State& state) {
  const Plan plan = linear_plan(few_instances);
  std::vector<Replay> replays;
  for (const RunId id : plan.runs()) replays.push_back(record(plan, id));
  for (auto _ : state) {
    BestOfParts parts(replays.size());
    for (int i = 0; i < BestOfParts::times; ++i)
      for (std::size_t r = 0; r < replays.size(); ++r)
        parts.time(r, [&run = replays[r]] {
          const auto policy = run.make();
          Rng rng(run.key);
          for (const double reward : run.rewards)
            static_cast<void>(policy->update(policy->select(rng), reward));
        });
    state.SetIterationTime(parts.sum());
  }
  count_rounds(state, plan);
}

}  // namespace

void register_benchmarks() {
  for (const unsigned threads : {1U, 2U})
    benchmark::RegisterBenchmark(("experiment/threads:" + std::to_string(threads)).c_str(),
                                 on_threads, threads)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  const auto part_by_part = [](const char* name, auto function) {
    benchmark::RegisterBenchmark(name, function)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->Iterations(1);
  };
  part_by_part("experiment/whole", whole);
  part_by_part("experiment/policies", policies_alone);
}

}  // namespace phe::bench
