// The IPS family over a log, CSV and JSON Lines, reading included; beside the second, simdjson
// alone that reads the file, parses each line and fetches the same five numbers. An item is a row.
#include "logs/evaluate.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <simdjson.h>
#include <unistd.h>

#include "logs/read_log.hpp"
#include "support/log_file.hpp"
#include "support/rounds.hpp"

namespace phe::bench {

namespace {

std::uint64_t log_rows() { return std::getenv("PHE_BENCH_QUICK") ? 10'000 : 1'000'000; }

// Written once, removed at the end.
class LogFile {
 public:
  LogFile(const char* ending, void (*write)(const std::filesystem::path&, std::uint64_t))
      : file_(std::filesystem::temp_directory_path() /
              ("phe-bench-" + std::to_string(::getpid()) + ending)) {
    write(file_, log_rows());
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile() { std::filesystem::remove(file_); }

  [[nodiscard]] logs::Log log() const {
    logs::Log log{{file_.string()}, {}};
    log.options.actions = log_actions;
    return log;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return file_; }

 private:
  std::filesystem::path file_;
};

void evaluate_log(benchmark::State& state, const LogFile& file) {
  const auto target = logs::make_uniform_target(log_actions);
  logs::EvaluateOptions options;
  options.model = logs::ModelKind::none;
  options.betting = false;
  for (auto _ : state) {
    const auto evaluation = logs::evaluate(file.log(), *target, options);
    if (!evaluation) state.SkipWithError(evaluation.error().message.c_str());
    benchmark::DoNotOptimize(evaluation);
  }
}

void read_decisions(benchmark::State& state, const LogFile& file) {
  for (auto _ : state) {
    double sum = 0.0;
    const auto counts = logs::read_log(file.log(), [&](const logs::Decision& row) -> Result<void> {
      sum += row.reward + row.propensity;
      return {};
    });
    if (!counts) state.SkipWithError(counts.error().message.c_str());
    benchmark::DoNotOptimize(sum);
  }
}

double sum_of_fields(simdjson::dom::parser& parser, const char* line, std::size_t length) {
  simdjson::dom::object object;
  double sum = 0.0;
  if (parser.parse(line, length, false).get(object) != simdjson::SUCCESS) return 0.0;
  for (const auto* key : {"action", "reward", "propensity", "actions", "position"}) {
    double value = 0.0;
    if (object.at_key(key).get(value) == simdjson::SUCCESS) sum += value;
  }
  return sum;
}

void read_with_simdjson(benchmark::State& state, const LogFile& file) {
  for (auto _ : state) {
    const auto size = static_cast<std::size_t>(std::filesystem::file_size(file.path()));
    std::string text(size + simdjson::SIMDJSON_PADDING, '\0');
    std::ifstream(file.path(), std::ios::binary).read(text.data(), static_cast<long>(size));
    simdjson::dom::parser parser;
    double sum = 0.0;
    for (std::size_t at = 0; at < size;) {
      const auto* end = static_cast<const char*>(std::memchr(text.data() + at, '\n', size - at));
      const auto length = static_cast<std::size_t>(end - text.data()) - at;
      sum += sum_of_fields(parser, text.data() + at, length);
      at += length + 1;
    }
    benchmark::DoNotOptimize(sum);
  }
}

}  // namespace

void register_benchmarks() {
  static const LogFile csv(".csv", write_log);
  static const LogFile json(".jsonl", write_json_log);
  const auto add = [](const char* name, auto run, const LogFile& file) {
    benchmark::RegisterBenchmark(name, [run, &file](benchmark::State& state) {
      run(state, file);
      state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(log_rows()));
    })->Unit(benchmark::kMillisecond);
  };
  add("evaluate/phe", evaluate_log, csv);
  add("evaluate/json/phe", evaluate_log, json);
  add("evaluate/json/read", read_decisions, json);
  add("evaluate/json/simdjson", read_with_simdjson, json);
}

}  // namespace phe::bench
