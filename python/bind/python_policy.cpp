#include "python_policy.hpp"

namespace phe::python {

namespace {

class PythonPolicy final : public Policy {
 public:
  PythonPolicy(std::string name, SharedObject factory, std::shared_ptr<Raised> raised,
               PolicyContext context)
      : name_(std::move(name)),
        factory_(std::move(factory)),
        raised_(std::move(raised)),
        context_(std::move(context)) {}
  ~PythonPolicy() override {
    const py::gil_scoped_acquire lock;
    select_ = update_ = py::object();
  }

  ArmId select(Rng& rng) override {
    const auto chosen = call<std::size_t>([&] {
      make(rng);
      return count(select_(), "what select() returns", 0, context_.arms.size() - 1);
    });
    // No arm that exists: the simulator ends the run.
    return chosen ? static_cast<ArmId>(chosen.value()) : ~ArmId{0};
  }
  Result<void> update(ArmId arm, double reward) override {
    return call<void>([&] { update_(arm, reward); });
  }
  Result<std::size_t> select(const Actions& actions, Rng& rng) override {
    return call<std::size_t>([&]() -> std::size_t {
      make(rng);
      const py::object place = context_.one_context
                                   ? select_(to_array(actions.features), actions.count)
                                   : select_(rows(actions));
      return count(place, "what select(X) returns", 0, actions.count - 1);
    });
  }
  Result<void> update(std::span<const double> features, double reward) override {
    return call<void>([&] { update_(to_array(features), reward); });
  }
  Result<void> update(ActionId action, std::span<const double> context, double reward) override {
    using namespace py::literals;
    return call<void>([&] { update_(to_array(context), reward, "action"_a = action); });
  }

  [[nodiscard]] std::string_view name() const noexcept override { return name_; }

 private:
  template <class T, class Call>
  Result<T> call(Call of) {
    return in_python(*raised_, name_.c_str(), [&]() -> T { return static_cast<T>(of()); });
  }

  py::array rows(const Actions& actions) const {
    return to_array(actions.features).reshape({actions.count, context_.arms.dimension()});
  }

  void make(Rng& rng) {
    if (select_) return;
    const py::object setting = py::module_::import("phebandits.simulation").attr("Setting");
    const py::object arms =
        context_.arms.empty() ? py::object(py::none()) : py::object(to_matrix(context_.arms));
    const py::object policy =
        factory_.get()(setting(arms, context_.arms.dimension(), context_.rounds,
                               py::make_tuple(context_.rewards.low, context_.rewards.high),
                               context_.binary_rewards, context_.one_context, rng()));
    update_ = policy.attr("update");
    select_ = policy.attr("select");
  }

  std::string name_;
  SharedObject factory_;
  std::shared_ptr<Raised> raised_;
  PolicyContext context_;
  KnownThread thread_;
  py::object select_;
  py::object update_;
};

}  // namespace

PolicyEntry python_policy_entry(std::string name, SharedObject factory,
                                std::shared_ptr<Raised> raised) {
  const auto make = [=](Parameters&,
                        const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
    return std::make_unique<PythonPolicy>(name, factory, raised, context);
  };
  return {name, "written in Python", {}, make};
}

}  // namespace phe::python
