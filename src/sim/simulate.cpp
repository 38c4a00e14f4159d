#include "phe/simulate.hpp"

#include <atomic>
#include <cmath>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>

#include "sim/do_runs.hpp"
#include "support/error.hpp"
#include "support/on_threads.hpp"

namespace phe {

namespace {

// What went wrong with a run when it throws (std::bad_alloc, say): an exception that left a thread
// would end the program.
Error thrown(const Plan& plan, const RunId& id, std::string_view reason) {
  return invalid("policy {} on problem {}, instance {}: {}", plan.policies()[id.policy].text,
                 plan.problems()[id.problem].text, id.instance, reason);
}

}  // namespace

Result<void> do_runs(const Plan& plan, const std::vector<RunId>& runs,
                     const SimulateOptions& options, const DoRun& run) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> halted = false;
  std::mutex reporting;
  std::optional<Error> failure;

  const auto do_run = [&](const RunId& id) -> Result<void> {
    try {
      const auto result = run(id);
      if (!result) return result.error();
      const std::lock_guard lock(reporting);
      if (options.on_run) options.on_run(result.value());
      return {};
    } catch (const std::bad_alloc&) {
      return thrown(plan, id, "there is not enough memory");
    } catch (const std::exception& error) {
      return thrown(plan, id, error.what());
    }
  };
  const auto work = [&] {
    for (;;) {
      const std::size_t i = next.fetch_add(1);
      if (i >= runs.size() || halted || (options.stop && options.stop())) return;
      if (const auto done = do_run(runs[i]); !done) {
        const std::lock_guard lock(reporting);
        halted = true;
        if (!failure) failure = done.error();
      }
    }
  };

  on_threads(options.threads, work);
  if (failure) return *failure;
  return {};
}

Result<void> simulate(const Plan& plan, const std::vector<RunId>& runs,
                      const SimulateOptions& options) {
  return do_runs(plan, runs, options, [&](const RunId& id) { return plan.run(id); });
}

MeanAndError mean_and_error(const std::vector<double>& values) noexcept {
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return {};
  double sum = 0.0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  if (values.size() == 1) return {mean, 0.0};
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (n - 1.0) / n)};
}

}  // namespace phe
