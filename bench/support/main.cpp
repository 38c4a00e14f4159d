// The main function of every benchmark program.
#include <benchmark/benchmark.h>

#include "phe/simd.hpp"
#include "support/rounds.hpp"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::AddCustomContext("simd", phe::simd_targets().front());
  phe::bench::register_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
