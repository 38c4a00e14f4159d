#include "phe/simulate.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <thread>

namespace phe {

Result<void> simulate(const Plan& plan, const std::vector<RunId>& runs,
                      const SimulateOptions& options) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> halted = false;
  std::mutex reporting;
  std::optional<Error> failure;

  const auto work = [&] {
    for (;;) {
      const std::size_t i = next.fetch_add(1);
      if (i >= runs.size() || halted || (options.stop && options.stop())) return;
      auto result = plan.run(runs[i]);
      const std::lock_guard lock(reporting);
      if (!result) {
        halted = true;
        if (!failure) failure = result.error();
        return;
      }
      if (options.on_run) options.on_run(result.value());
    }
  };

  {
    std::vector<std::jthread> workers;
    for (unsigned i = 1; i < std::max(options.threads, 1U); ++i) workers.emplace_back(work);
    work();
  }
  if (failure) return *failure;
  return {};
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
