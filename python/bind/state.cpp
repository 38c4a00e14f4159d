// save, load, merge, and pickle.
#include "bindings.hpp"

namespace phe::python {

namespace {

constexpr std::uint64_t pickle_version = 1;

std::filesystem::path path_from(py::handle file) {
  PyObject* const path = PyOS_FSPath(file.ptr());
  if (path == nullptr) {
    PyErr_Clear();
    refuse_type("file must be a path, got {}", shown(file));
  }
  const auto owner = py::reinterpret_steal<py::object>(path);
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(path, &bytes) == 0) {
    PyErr_Clear();
    refuse("file must be a path without the character 0, got {}", shown(file));
  }
  return std::string(py::reinterpret_steal<py::bytes>(bytes));
}

void save(BoundPolicy& self, py::handle file) {
  const auto path = path_from(file);
  unwrap(self.with([&](Policy& policy, const Rng&) { return phe::save(policy, path); }));
}

void load(BoundPolicy& self, py::handle file) {
  const auto path = path_from(file);
  unwrap(self.with([&](Policy& policy, const Rng&) { return phe::load(policy, path); }));
}

std::string state_of(BoundPolicy& self) {
  return unwrap(self.with([](Policy& policy, const Rng&) { return policy.save(); }));
}

// A policy that goes on as `other` does.
std::unique_ptr<BoundPolicy> copy_of(BoundPolicy& other) {
  auto copy = std::make_unique<BoundPolicy>(other.options());
  const std::string state = state_of(other);
  unwrap(copy->with([&](Policy& policy, const Rng&) { return policy.load(state); }));
  copy->load_stream(other.save_stream());
  return copy;
}

// Through a copy of the other, so that no two locks are held at once.
void merge(BoundPolicy& self, BoundPolicy& other) {
  const auto copy = copy_of(other);
  unwrap(self.with([&](Policy& ours, const Rng&) { return ours.merge(copy->policy()); }));
}

py::tuple pickled(py::handle object) {
  auto& self = object.cast<BoundPolicy&>();
  const PolicyOptions& options = self.options();
  const py::object arms = options.arms.empty() ? py::object(py::int_(self.dimension()))
                                               : py::object(to_matrix(options.arms));
  return py::make_tuple(pickle_version, options.spec, arms, options.rounds,
                        py::make_tuple(options.rewards.low, options.rewards.high), options.seed,
                        options.one_context, py::bytes(state_of(self)),
                        py::bytes(self.save_stream()), py::getattr(object, "__dict__", py::dict()));
}

std::pair<std::unique_ptr<BoundPolicy>, py::dict> unpickled(const py::tuple& state) {
  constexpr std::size_t parts = 10;
  if (state.size() != parts || count(state[0], "version") != pickle_version)
    refuse("this pickle of a policy is of another version");
  const bool contexts =
      PyIndex_Check(py::object(state[2]).ptr()) != 0 && !py::isinstance<py::array>(state[2]);
  auto policy = std::make_unique<BoundPolicy>(PolicyOptions{
      text(state[1], "spec"),
      contexts ? Arms::none(count(state[2], "d", 1)) : to_arms(Numbers(state[2], "arms"), "arms"),
      count(state[3], "rounds"), reward_range(state[4], "rewards"), count(state[5], "seed"),
      flag(state[6], "one_context")});
  const std::string learnt = py::bytes(state[7]);
  unwrap(policy->with([&](Policy& of, const Rng&) { return of.load(learnt); }));
  policy->load_stream(std::string(py::bytes(state[8])));
  return {std::move(policy), py::dict(state[9])};
}

}  // namespace

void bind_state(PolicyClass& policy) {
  using namespace py::literals;
  policy.def("save", &save, "file"_a, docs::save)
      .def("load", &load, "file"_a, docs::load)
      .def("merge", &merge, "other"_a, docs::merge)
      .def(py::pickle(&pickled, &unpickled));
}

}  // namespace phe::python
