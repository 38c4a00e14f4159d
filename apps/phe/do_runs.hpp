// Doing the missing runs of one or more experiments: threads, progress, Ctrl-C.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "record/journal_reader.hpp"
#include "record/manifest.hpp"
#include "record/results_folder.hpp"
#include <phe/result.hpp>
#include <phe/simulate.hpp>

namespace phe::app {

// What there is to do for one plan, and who keeps what was done.
struct Work {
  const Plan* plan = nullptr;
  const Runs* had = nullptr;  // there before, for the estimate of the time left; read at the start
  std::vector<RunId> missing;
  std::function<Result<void>(const RunResult&)> keep;
};

// Does all missing runs, and shows the progress over all of them. One instance of every kind of run
// comes first, so that the time left is known early. True when all are done, false after Ctrl-C.
Result<bool> do_runs(const std::vector<Work>& works, unsigned threads, bool quiet);

// Says how much of the folder's experiment is there already, if anything is.
void announce(const ResultsFolder& folder, std::size_t missing);

// This machine, with the instruction set that was asked for.
Machine machine_with(const std::string& simd, unsigned threads);

}  // namespace phe::app
