#include "simulation.hpp"

#include <atomic>
#include <condition_variable>
#include <limits>
#include <thread>

#include "python_policy.hpp"
#include "python_problem.hpp"
#include "record/curves.hpp"
#include "record/tables.hpp"
#include "spec/check_policies.hpp"
#include "spec/plan_memory.hpp"

namespace phe::python {

// What the thread that waits and those that work tell each other.
struct Progress {
  std::atomic<bool> stop = false;
  std::mutex mutex;
  std::condition_variable finished;
  bool is_finished = false;
  std::atomic<std::size_t> done = 0;
  std::optional<py::error_already_set> raised = {};  // while waiting
};

namespace {

using namespace std::chrono_literals;

template <class Entries>
bool has(const Entries& entries, const std::string& name) {
  for (const auto& entry : entries)
    if (entry->name == name) return true;
  return false;
}

// The specs of a list; whatever is written in Python is added to the registry.
template <class Entries, class MakeEntry>
std::vector<std::string> specs_of(py::handle list, const char* kind, const Entries& built_in,
                                  MakeEntry add) {
  std::vector<std::string> specs;
  for (const py::handle item : py::reinterpret_borrow<py::iterable>(list)) {
    if (PyUnicode_Check(item.ptr())) {
      specs.push_back(text(item, kind));
      continue;
    }
    const auto pair = py::reinterpret_borrow<py::tuple>(item);
    const std::string name = text(pair[0], "name");
    if (name.empty() || name.find_first_of(":,|\"") != std::string::npos)
      refuse("the name of a {} must have no ':', ',', '|' or quote, got '{}'", kind, name);
    if (has(built_in, name))
      refuse("a {} of the library is called '{}': take another name", kind, name);
    add(name, SharedObject(pair[1]));
    specs.push_back(name);
  }
  return specs;
}

}  // namespace

Simulation::Simulation(py::handle problems, py::handle policies, Experiment experiment) {
  experiment.problems =
      specs_of(problems, "problem", registry_.problems(), [&](auto& name, SharedObject factory) {
        registry_.add(python_problem_entry(name, std::move(factory), raised_));
      });
  experiment.policies =
      specs_of(policies, "policy", registry_.policies(), [&](auto& name, SharedObject factory) {
        registry_.add(python_policy_entry(name, std::move(factory), raised_));
      });
  plan_ = std::make_unique<Plan>(unwrap(Plan::create(std::move(experiment), registry_)));
}

std::vector<RunId> Simulation::missing() const {
  std::vector<RunId> ids;
  for (const RunId& id : plan_->runs())
    if (!runs_.contains(id)) ids.push_back(id);
  return ids;
}

void Simulation::wait_for(Progress& shared, const py::object& progress) const {
  const auto finished = [&] {
    std::unique_lock lock(shared.mutex);
    return shared.finished.wait_for(lock, 50ms, [&] { return shared.is_finished; });
  };
  while (!finished()) {
    const py::gil_scoped_acquire held;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress.is_none()) progress(shared.done.load());
    } catch (const py::error_already_set& error) {
      if (!shared.raised) shared.raised = error;
      shared.stop = true;
    }
  }
}

bool Simulation::go(unsigned threads, const py::object& progress) {
  Progress shared;
  Result<void> result;
  shared.done = runs_.size();
  {
    const py::gil_scoped_release free;
    result = check_plan_memory(*plan_, threads, false);
    if (result) result = check_policies(*plan_);
    if (result) {
      SimulateOptions options;
      options.threads = threads;
      options.stop = [&] { return shared.stop.load(); };
      options.on_run = [&](const RunResult& run) { runs_[run.id] = run, ++shared.done; };
      const std::vector<RunId> ids = missing();
      const std::jthread worker([&] {
        result = simulate(*plan_, ids, options);
        const std::lock_guard lock(shared.mutex);
        shared.is_finished = true;
        shared.finished.notify_one();
      });
      wait_for(shared, progress);
    }
  }
  raised_->raise_if_any();
  unwrap(result);
  if (!shared.raised) return true;
  if (shared.raised->matches(PyExc_KeyboardInterrupt)) return missing().empty();
  throw py::error_already_set(*shared.raised);
}

py::array_t<double> Simulation::regret() const {
  const Experiment& e = plan_->experiment();
  const std::size_t c = plan_->checkpoints().size();
  py::array_t<double> all({plan_->problems().size(), plan_->policies().size(),
                           static_cast<std::size_t>(e.instances), c});
  double* out = all.mutable_data();
  for (const RunId& id : plan_->runs()) {
    const auto found = runs_.find(id);
    if (found == runs_.end())
      std::fill_n(out, c, std::numeric_limits<double>::quiet_NaN());
    else
      std::copy(found->second.regret.begin(), found->second.regret.end(), out);
    out += c;
  }
  return all;
}

py::array_t<double> Simulation::seconds() const {
  py::array_t<double> all({plan_->problems().size(), plan_->policies().size(),
                           static_cast<std::size_t>(plan_->experiment().instances)});
  double* out = all.mutable_data();
  for (const RunId& id : plan_->runs()) {
    const auto found = runs_.find(id);
    *out++ =
        found == runs_.end() ? std::numeric_limits<double>::quiet_NaN() : found->second.seconds;
  }
  return all;
}

py::tuple Simulation::mean_and_error() const {
  const Experiment& e = plan_->experiment();
  const std::size_t c = plan_->checkpoints().size();
  const std::vector<std::size_t> shape{plan_->problems().size(), plan_->policies().size(), c};
  py::array_t<double> means(shape);
  py::array_t<double> errors(shape);
  double* mean = means.mutable_data();
  double* error = errors.mutable_data();
  for (std::size_t problem = 0; problem < shape[0]; ++problem)
    for (std::size_t policy = 0; policy < shape[1]; ++policy)
      for (std::size_t at = 0; at < c; ++at) {
        std::vector<double> values;
        for (std::uint64_t i = 0; i < e.instances; ++i)
          if (const auto run = runs_.find({problem, policy, e.first_instance + i});
              run != runs_.end())
            values.push_back(run->second.regret[at]);
        const MeanAndError both = phe::mean_and_error(values);
        const double none = std::numeric_limits<double>::quiet_NaN();
        *mean++ = values.empty() ? none : both.mean;
        *error++ = values.empty() ? none : both.standard_error;
      }
  return py::make_tuple(means, errors);
}

void Simulation::require_all() const {
  if (const std::size_t left = missing().size(); left > 0)
    refuse("{} of {} runs are missing", left, plan_->runs().size());
}

std::string Simulation::regret_csv() const {
  require_all();
  return phe::regret_csv(*plan_, curves_of(*plan_, runs_));
}

std::string Simulation::runs_csv() const {
  require_all();
  return phe::runs_csv(*plan_, runs_);
}

}  // namespace phe::python
