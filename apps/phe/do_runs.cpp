#include "do_runs.hpp"

#include <algorithm>
#include <atomic>
#include <set>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "runner.hpp"
#include "sim/workload.hpp"
#include <phe/simd.hpp>

namespace phe::app {

namespace {

// Numbers the policies on problems of work number `work`.
Workload::Kind kind_of(const std::vector<Work>& works, std::size_t work, const RunId& id) {
  return {work, id.problem * works[work].plan->policies().size() + id.policy};
}

Workload workload_of(const std::vector<Work>& works) {
  Workload load;
  for (std::size_t w = 0; w < works.size(); ++w) {
    for (const auto& [id, run] : *works[w].had) load.had(kind_of(works, w, id), run.seconds);
    for (const RunId& id : works[w].missing) load.expect(kind_of(works, w, id));
  }
  return load;
}

// Splits off the first run of each problem and policy.
std::pair<std::vector<RunId>, std::vector<RunId>> first_and_rest(const std::vector<RunId>& runs) {
  std::pair<std::vector<RunId>, std::vector<RunId>> parts;
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (const RunId& id : runs)
    (seen.emplace(id.problem, id.policy).second ? parts.first : parts.second).push_back(id);
  return parts;
}

}  // namespace

Result<bool> do_runs(const std::vector<Work>& works, unsigned threads, bool quiet) {
  Progress progress(Progress::style_for(quiet), workload_of(works));
  Result<void> kept;
  std::atomic<bool> broken = false;
  std::size_t left = 0;
  const auto run_all = [&](std::size_t w, const std::vector<RunId>& runs) -> Result<void> {
    SimulateOptions options;
    options.threads = threads;
    options.stop = [&] { return interrupted() || broken; };
    options.on_run = [&](const RunResult& run) {
      if (broken) return;
      kept = works[w].keep(run);
      broken = !kept.ok();
      --left;
      progress.step(kind_of(works, w, run.id), run.seconds);
    };
    const auto simulated = runner().simulate(*works[w].plan, runs, options);
    return kept ? simulated : kept;
  };
  std::vector<std::pair<std::size_t, std::vector<RunId>>> stages;
  for (std::size_t w = 0; w < works.size(); ++w) {
    left += works[w].missing.size();
    auto [first, rest] = first_and_rest(works[w].missing);
    if (works.size() == 1) {  // no need to wait for the first ones before the rest begins
      first.insert(first.end(), rest.begin(), rest.end());
      rest.clear();
    }
    stages.insert(stages.begin() + static_cast<std::ptrdiff_t>(w), {w, std::move(first)});
    stages.emplace_back(w, std::move(rest));
  }
  Result<void> done;
  for (const auto& [w, runs] : stages)
    if (done && !runs.empty()) done = run_all(w, runs);
  progress.end();
  if (!done) return done.error();
  return left == 0;
}

void announce(const ResultsFolder& folder, std::size_t missing) {
  const std::string path = folder.path().string();
  if (missing == 0)
    say(fmt::format("all {} runs are in {} already\n", folder.runs().size(), path));
  else if (!folder.runs().empty())
    say(fmt::format("going on in {}: {} runs are there, {} to do\n", path, folder.runs().size(),
                    missing));
}

Machine machine_with(const std::string& simd, unsigned threads) {
  return {cpu_model(), simd == "auto" ? simd_targets().front() : simd, threads};
}

}  // namespace phe::app
