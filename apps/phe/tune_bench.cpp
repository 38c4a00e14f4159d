#include "tune_bench.hpp"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "support/sha256.hpp"

namespace phe::app {

namespace {

// All that decides the runs but how many instances there are.
std::string digest_of(const Plan& plan) {
  const Experiment& e = plan.experiment();
  std::string text = fmt::format("{} {} {}\n", e.rounds, e.seed, e.checkpoints);
  for (const ProblemSpec& problem : plan.problems()) text += problem.parameters.canonical() + '\n';
  for (const PolicySpec& policy : plan.policies()) text += policy.parameters.canonical() + '\n';
  return sha256(text).substr(0, 8);
}

std::string folder_name(std::size_t stage, const Plan& plan) {
  return stage == tune::stages ? "final-" + digest_of(plan)
                               : fmt::format("stage-{}-{}", stage + 1, digest_of(plan));
}

}  // namespace

Result<void> TuneBench::open(std::size_t stage, const Plan& plan) {
  if (folder_ && stage_ == stage && instances_ == plan.experiment().instances) return {};
  folder_.reset();
  auto folder = ResultsFolder::open(*out_ / folder_name(stage, plan), plan);
  if (!folder) return folder.error();
  folder_ = std::move(folder).value();
  stage_ = stage;
  instances_ = plan.experiment().instances;
  return folder_->prepare();
}

Result<bool> TuneBench::run(std::size_t stage, const Plan& plan, const std::vector<RunId>& ids,
                            Runs& runs) {
  if (out_)
    if (auto done = open(stage, plan); !done) return done.error();
  std::vector<RunId> missing;
  for (const RunId& id : ids) {
    if (runs.contains(id)) continue;
    if (folder_ && folder_->runs().contains(id))
      runs.emplace(id, folder_->runs().at(id));
    else
      missing.push_back(id);
  }
  Result<void> kept;
  std::atomic<bool> broken = false;
  SimulateOptions options;
  options.threads = threads_;
  options.stop = [&] { return interrupted() || broken; };
  options.on_run = [&](const RunResult& run) {
    runs.emplace(run.id, run);
    ++did_;
    if (folder_ && kept) kept = folder_->add(run);
    broken = !kept.ok();
  };
  if (!missing.empty())
    if (const auto done = simulate_(plan, missing, options); !done) return done.error();
  if (!kept) return kept.error();
  return std::ranges::all_of(missing, [&](const RunId& id) { return runs.contains(id); });
}

std::filesystem::path TuneBench::last_folder() const {
  return folder_ ? folder_->path() : std::filesystem::path();
}

Result<void> TuneBench::finish(const Plan& plan, const Machine& machine) {
  if (!out_) return {};
  folder_.reset();  // it knows the plan where that was before
  if (auto done = open(tune::stages, plan); !done) return done;
  return folder_->finish(machine);
}

}  // namespace phe::app
