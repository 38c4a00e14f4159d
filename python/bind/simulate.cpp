// The class Simulation, which phebandits.simulate drives.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "record/curves.hpp"
#include "simulation.hpp"
#include "spec/numbers.hpp"

namespace phe::python {

namespace {

std::uint64_t in(CountRange range, py::handle value, const char* name) {
  return count(value, name, range.low, range.high);
}

std::unique_ptr<Simulation> make(py::handle problems, py::handle policies, py::handle rounds,
                                 py::handle instances, py::handle first_instance, py::handle seed) {
  Experiment experiment;
  experiment.rounds = in(rounds_range, rounds, "rounds");
  experiment.instances = in(instances_range, instances, "instances");
  experiment.first_instance = in(first_instance_range, first_instance, "first_instance");
  experiment.seed = in(seed_range, seed, "seed");
  return std::make_unique<Simulation>(problems, policies, std::move(experiment));
}

py::list shapes_of(const Simulation& self) {
  py::list shapes;
  for (const ProblemSpec& spec : self.plan().problems())
    shapes.append(
        py::make_tuple(problem_label(spec), spec.problem->dimension(), spec.problem->arms()));
  return shapes;
}

template <class Specs>
std::vector<std::string> texts_of(const Specs& specs) {
  std::vector<std::string> texts;
  for (const auto& spec : specs) texts.push_back(spec.text);
  return texts;
}

}  // namespace

void bind_simulate(py::module_& m) {
  using namespace py::literals;
  py::class_<Simulation>(m, "Simulation")
      .def(py::init(&make), "problems"_a, "policies"_a, "rounds"_a, "instances"_a,
           "first_instance"_a, "seed"_a)
      .def(
          "go",
          [](Simulation& self, py::handle threads, const py::object& progress) {
            return self.go(static_cast<unsigned>(in(threads_range, threads, "threads")), progress);
          },
          "threads"_a, "progress"_a)
      .def_property_readonly("done", [](const Simulation& self) { return self.runs().size(); })
      .def_property_readonly("total",
                             [](const Simulation& self) { return self.plan().runs().size(); })
      .def_property_readonly("checkpoints",
                             [](const Simulation& self) {
                               const auto& rounds = self.plan().checkpoints();
                               return py::array_t<std::uint64_t>(
                                   static_cast<py::ssize_t>(rounds.size()), rounds.data());
                             })
      .def_property_readonly("problems",
                             [](const Simulation& s) { return texts_of(s.plan().problems()); })
      .def_property_readonly("policies",
                             [](const Simulation& s) { return texts_of(s.plan().policies()); })
      .def_property_readonly("shapes", &shapes_of)
      .def("regret", &Simulation::regret)
      .def("seconds", &Simulation::seconds)
      .def("mean_and_error", &Simulation::mean_and_error)
      .def("regret_csv", &Simulation::regret_csv)
      .def("runs_csv", &Simulation::runs_csv);
}

}  // namespace phe::python
