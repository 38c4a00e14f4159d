// Simulation: an experiment and the runs of it that are done, as Python holds it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "callbacks.hpp"
#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"

namespace phe::python {

class Simulation {
 public:
  // Names are texts, specs of the library, or pairs (name, factory) of what is written in Python.
  Simulation(py::handle problems, py::handle policies, Experiment experiment);

  // Does what is not done yet on `threads` threads. `progress(runs)` is called now and then with
  // the number of runs done, on this thread. False when Ctrl-C ended it: what is done stays.
  bool go(unsigned threads, const py::object& progress);

  [[nodiscard]] const Plan& plan() const noexcept { return *plan_; }
  [[nodiscard]] const Runs& runs() const noexcept { return runs_; }
  // Regret after each checkpoint, by problem, policy and instance; NaN where a run is missing.
  [[nodiscard]] py::array_t<double> regret() const;
  // Processor time of each run.
  [[nodiscard]] py::array_t<double> seconds() const;
  // The mean over the instances that are done, and its standard error.
  [[nodiscard]] py::tuple mean_and_error() const;
  // The program's tables. Raises ValueError when runs are missing.
  [[nodiscard]] std::string regret_csv() const;
  [[nodiscard]] std::string runs_csv() const;

 private:
  [[nodiscard]] std::vector<RunId> missing() const;
  void require_all() const;
  void wait_for(struct Progress& shared, const py::object& progress) const;

  std::shared_ptr<Raised> raised_ = std::make_shared<Raised>();
  Registry registry_ = Registry::built_in();
  std::unique_ptr<Plan> plan_;
  Runs runs_;
};

}  // namespace phe::python
