// Doing the runs of phe tune: in memory, or in results folders below one.
//
//   tune.html  tune.svg|png|gp              what was found
//   stage-1-9c2f01aa/ ..  final-0badcafe/   results folders; the digits name what was asked for
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "record/results_folder.hpp"
#include "runner.hpp"
#include "tune/tune.hpp"

namespace phe::app {

class TuneBench {
 public:
  // Who does runs: with the contract of phe::simulate.
  using Simulate = decltype(Runner::simulate);

  // Without a folder nothing is kept.
  TuneBench(std::optional<std::filesystem::path> out, unsigned threads, Simulate simulate)
      : out_(std::move(out)), threads_(threads), simulate_(std::move(simulate)) {}

  // As tune::DoRuns.
  Result<bool> run(std::size_t stage, const Plan& plan, const std::vector<RunId>& ids, Runs& runs);

  // The folder of the final comparison; empty when nothing is kept.
  [[nodiscard]] std::filesystem::path last_folder() const;
  // Writes the tables of the final comparison, where runs are kept. Precondition: all are done.
  Result<void> finish(const Plan& plan, const Machine& machine);
  // Runs that were done, and not found in a folder.
  [[nodiscard]] std::size_t did() const noexcept { return did_; }

 private:
  Result<void> open(std::size_t stage, const Plan& plan);

  std::optional<std::filesystem::path> out_;
  unsigned threads_;
  Simulate simulate_;
  std::optional<ResultsFolder> folder_;
  std::size_t stage_ = 0;        // of the open folder
  std::uint64_t instances_ = 0;  // of its plan
  std::size_t did_ = 0;
};

}  // namespace phe::app
