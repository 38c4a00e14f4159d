// ResultsFolder: where an experiment's results live, and from where it goes on.
//
//   runs.log       every finished run, written as it finishes (journal_line.hpp)
//   inputs/        copies of the files that the experiment was read from, if any (inputs.hpp)
//   regret.csv, runs.csv, manifest.json      written when all runs are in, each as a whole
//   .lock          held by the process that works in the folder, which says so in it (session.hpp)
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "phe/result.hpp"
#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"
#include "record/journal_writer.hpp"
#include "record/manifest.hpp"
#include "support/unique_fd.hpp"

namespace phe {

// Not thread-safe. The plan must outlive it.
class ResultsFolder {
 public:
  // Makes the folder if missing, locks it and reads the runs it has: a plan that asks for more than
  // the folder has makes it grow. Refuses, and touches nothing, when runs there are of another
  // experiment or not asked for, or another process works in it.
  static Result<ResultsFolder> open(const std::filesystem::path& folder, const Plan& plan);

  // What was wrong with the journal, a line each; fit to be shown.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_; }
  [[nodiscard]] const Runs& runs() const noexcept { return runs_; }
  // Runs of the plan that are not in yet, in the plan's order.
  [[nodiscard]] std::vector<RunId> missing() const;

  // Keeps copies of the inputs and readies the journal: its header, and without the lines that were
  // damaged. Tables of a folder that grows go, until all its runs are in. Call before add.
  Result<void> prepare();
  // Keeps a finished run, at once.
  Result<void> add(const RunResult& run);
  // Writes the other files. Precondition: missing() is empty. When all are there and no run was
  // added, they are left as they are.
  Result<void> finish(const Machine& machine);

 private:
  ResultsFolder(std::filesystem::path folder, const Plan& plan)
      : folder_(std::move(folder)), plan_(&plan) {}

  Result<void> refuse_others() const;
  Result<void> lock();
  Result<void> load();
  void tell_session() const;

  std::filesystem::path folder_;
  const Plan* plan_;
  UniqueFd lock_;
  std::optional<JournalWriter> journal_;
  Runs runs_;
  std::vector<std::string> warnings_;
  bool rewrite_ = false;  // the journal has another header, or lines that do not count
  bool grown_ = false;    // the tables are of another list of runs
  bool added_ = false;
};

}  // namespace phe
