// A reproduction of the paper: experiments in folders below one, and the report above them.
//
//   report.html  tables.md  figure-linear.svg|png  figure-logistic.svg|png
//   linear/  logistic/      results folders, each with the script of its figure, figure.gp
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "record/manifest.hpp"
#include "record/results_folder.hpp"
#include "report/claims.hpp"
#include "report/report.hpp"
#include "reproduce_flags.hpp"
#include <phe/result.hpp>
#include <phe/simulate.hpp>

namespace phe::app {

// Use in the order of declaration. The registry must outlive it.
class Reproduction {
 public:
  // Looks up and checks everything that is asked for.
  static Result<Reproduction> create(ReproduceRequest request, Machine machine,
                                     const Registry& registry);

  // Opens every experiment's folder; refuses before anything is written.
  Result<void> open();
  // Says what is there already, and what was wrong with it.
  void announce(bool quiet) const;
  // Does the missing runs. False when interrupted.
  Result<bool> run(bool quiet);
  [[nodiscard]] std::string interrupted_text() const;

  // Precondition of the next two: run() was true.
  // Writes tables, figures and report, unless all are there and no run is new. Without gnuplot the
  // report has no figures and this is an error, which says what to install.
  Result<void> write_report(const std::string& command);
  [[nodiscard]] std::vector<ClaimVerdict> verdicts() const;
  [[nodiscard]] std::filesystem::path report_path() const;

 private:
  struct Part {
    PaperExperiment paper;
    std::unique_ptr<const Plan> plan;
    std::optional<ResultsFolder> folder;
  };

  Reproduction(std::string out, Machine machine)
      : out_(std::move(out)), machine_(std::move(machine)) {}

  [[nodiscard]] std::filesystem::path figure_name(const Part& part) const;
  [[nodiscard]] bool is_reported() const;
  Result<Figure> draw(const Part& part, const std::vector<Curve>& curves) const;
  Result<Costs> costs() const;

  std::filesystem::path out_;
  Machine machine_;
  std::vector<Part> parts_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::size_t had_ = 0;       // runs that were there before
  std::size_t did_ = 0;       // runs of this process
  double did_seconds_ = 0.0;  // and their time
};

}  // namespace phe::app
