// simulate: many independent runs of policies on problem instances, over threads.
//
// A run is the unit of work: (problem, policy, instance) -> pseudo-regret at fixed checkpoints. It
// depends on the seed and on those three names alone, so runs may be done in any order, on any
// number of threads, processes or machines, and joined.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "phe/registry.hpp"
#include "phe/result.hpp"

namespace phe {

struct Experiment {
  // A value with bars is a grid: linphe:a=0.5|1 stands for linphe:a=0.5 and linphe:a=1.
  std::vector<std::string> problems;
  std::vector<std::string> policies;
  std::uint64_t rounds = 10'000;
  std::uint64_t instances = 100;
  std::uint64_t first_instance = 0;
  std::uint64_t seed = 1;
  // Rounds after which a run is recorded: a number of them, spread evenly, "all" or "log".
  std::string checkpoints = "100";
  // What is recorded beside regret: "reward", "best_pulls".
  std::vector<std::string> columns = {};
};

struct RunId {
  std::size_t problem = 0;  // positions in the experiment's lists
  std::size_t policy = 0;
  std::uint64_t instance = 0;

  friend auto operator<=>(const RunId&, const RunId&) = default;  // NOLINT(modernize-use-nullptr)
};

struct RunResult {
  RunId id;
  std::vector<double> regret;  // cumulative pseudo-regret after each checkpoint's round
  double seconds = 0.0;        // processor time of its rounds
  // At the same rounds, where the experiment's columns ask for them; else empty.
  std::vector<double> reward = {};             // sum of the rewards
  std::vector<std::uint64_t> best_pulls = {};  // rounds in which a best arm was pulled
};

// An experiment whose names have been looked up and whose numbers have been checked. Copyable; the
// registry must outlive it.
class Plan {
 public:
  // Files that the experiment names are looked for where `locate` says.
  static Result<Plan> create(Experiment experiment, const Registry& registry,
                             const FileLocator& locate = {});

  // As it was asked for, with each grid written out.
  [[nodiscard]] const Experiment& experiment() const noexcept { return experiment_; }
  [[nodiscard]] const std::vector<ProblemSpec>& problems() const noexcept { return problems_; }
  [[nodiscard]] const std::vector<PolicySpec>& policies() const noexcept { return policies_; }
  // Rounds after which a run is recorded; they ascend, and the last round is one.
  [[nodiscard]] const std::vector<std::uint64_t>& checkpoints() const noexcept {
    return checkpoints_;
  }
  // Whether the experiment's columns ask for "reward", for "best_pulls".
  [[nodiscard]] bool has_column(std::string_view name) const noexcept;
  // The files that problems and policies were read from, in the order in which they are named.
  [[nodiscard]] std::vector<InputFile> files() const;
  // All runs, ordered by problem, then policy, then instance.
  [[nodiscard]] std::vector<RunId> runs() const;

  // Instance `number` of a problem: what all policies of this experiment face.
  [[nodiscard]] Result<std::unique_ptr<const Instance>> instance(std::size_t problem,
                                                                 std::uint64_t number) const;

  // One run, on this thread.
  [[nodiscard]] Result<RunResult> run(RunId id) const;

 private:
  [[nodiscard]] StreamKey instance_key(std::size_t problem, std::uint64_t number) const;

  Experiment experiment_;
  std::vector<ProblemSpec> problems_;
  std::vector<PolicySpec> policies_;
  std::vector<std::uint64_t> checkpoints_;
};

struct SimulateOptions {
  unsigned threads = 1;
  // Called once per finished run, never from two threads at once, in no particular order.
  std::function<void(const RunResult&)> on_run;
  // Polled between runs, from any thread; true ends the simulation early.
  std::function<bool()> stop;
};

// Does the given runs of the plan. Runs that were not reached before `stop` are simply not
// reported.
Result<void> simulate(const Plan& plan, const std::vector<RunId>& runs,
                      const SimulateOptions& options);

// The mean over instances, and the standard error of that mean (0 for a single instance).
struct MeanAndError {
  double mean = 0.0;
  double standard_error = 0.0;
};
MeanAndError mean_and_error(const std::vector<double>& values) noexcept;

}  // namespace phe
