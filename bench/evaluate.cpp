// The IPS family over a CSV log, reading included; an item is a row.
#include "logs/evaluate.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

#include "support/log_file.hpp"
#include "support/rounds.hpp"

namespace phe::bench {

namespace {

void evaluate_log(benchmark::State& state) {
  const std::uint64_t rows = std::getenv("PHE_BENCH_QUICK") ? 10'000 : 1'000'000;
  const auto file =
      std::filesystem::temp_directory_path() / ("phe-bench-" + std::to_string(::getpid()) + ".csv");
  write_log(file, rows);
  logs::Log log{{file.string()}, {}};
  log.options.actions = log_actions;
  const auto target = logs::make_uniform_target(log_actions);
  logs::EvaluateOptions options;
  options.model = logs::ModelKind::none;
  options.betting = false;
  for (auto _ : state) {
    const auto evaluation = logs::evaluate(log, *target, options);
    if (!evaluation) state.SkipWithError(evaluation.error().message.c_str());
    benchmark::DoNotOptimize(evaluation);
  }
  std::filesystem::remove(file);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
}

}  // namespace

void register_benchmarks() {
  benchmark::RegisterBenchmark("evaluate/phe", evaluate_log)->Unit(benchmark::kMillisecond);
}

}  // namespace phe::bench
