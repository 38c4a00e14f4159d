// simulate: many independent runs of policies on problem instances, over threads.
//
// A run is the unit of work: (problem, policy, instance) -> pseudo-regret at fixed checkpoints. It
// depends on the seed and on those three names alone, so runs may be done in any order, on any
// number of threads, processes or machines, and joined.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "phe/registry.hpp"
#include "phe/result.hpp"

namespace phe {

struct Experiment {
  std::vector<std::string> problems;
  std::vector<std::string> policies;
  std::uint64_t rounds = 10'000;
  std::uint64_t instances = 100;
  std::uint64_t first_instance = 0;
  std::uint64_t seed = 1;
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
};

// An experiment whose names have been looked up and whose numbers have been checked. Copyable; the
// registry must outlive it.
class Plan {
 public:
  // Files that the experiment names are looked for where `locate` says.
  static Result<Plan> create(Experiment experiment, const Registry& registry,
                             const FileLocator& locate = {});

  [[nodiscard]] const Experiment& experiment() const noexcept { return experiment_; }
  [[nodiscard]] const std::vector<ProblemSpec>& problems() const noexcept { return problems_; }
  [[nodiscard]] const std::vector<PolicySpec>& policies() const noexcept { return policies_; }
  // Rounds after which regret is recorded: at least 100 (all, when there are fewer), and the last.
  [[nodiscard]] const std::vector<std::uint64_t>& checkpoints() const noexcept {
    return checkpoints_;
  }
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
