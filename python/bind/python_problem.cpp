#include "python_problem.hpp"

#include <atomic>
#include <limits>

namespace phe::python {

namespace {

// What an instance in Python says of itself.
struct Facts {
  py::object object;
  Arms arms = Arms::none(1);
  std::vector<double> means = {};
  RewardRange rewards = {};
  bool binary = false;
  bool one_context = false;
};

bool flag_of(const py::object& object, const char* name) {
  return py::hasattr(object, name) && flag(object.attr(name), name);
}

Facts facts_of(py::object object) {
  Facts facts{.object = object};
  if (py::hasattr(object, "rewards"))
    facts.rewards = reward_range(object.attr("rewards"), "rewards");
  facts.binary = flag_of(object, "binary");
  facts.one_context = flag_of(object, "one_context");
  if (py::hasattr(object, "offer")) {
    facts.arms = Arms::none(count(object.attr("d"), "d", 1, 1'000'000));
    return facts;
  }
  facts.arms = to_arms(Numbers(object.attr("arms"), "arms"), "arms");
  const Numbers means(object.attr("means"), "means");
  if (means.dimensions() != 1 || means.shape(0) != facts.arms.size())
    refuse("means must have the shape ({},), one per arm, got {}", facts.arms.size(),
           means.shape_text());
  facts.means.assign(means.values().begin(), means.values().end());
  return facts;
}

// The calls of both kinds of instances.
class Calls {
 public:
  Calls(py::object object, std::shared_ptr<Raised> raised)
      : object_(std::move(object)), raised_(std::move(raised)) {}

  // Not a number where Python raises: every policy refuses that.
  [[nodiscard]] double reward(std::uint64_t round, ArmId arm) const {
    const auto paid = in_python(*raised_, "reward", [&] {
      return real(object_.get().attr("reward")(round, arm), "what reward(round, arm) returns");
    });
    return paid ? paid.value() : std::numeric_limits<double>::quiet_NaN();
  }

  void offer(std::uint64_t round, std::size_t d, bool one_context, ContextRound& into) const {
    into.features.clear();
    into.means.clear();
    // What is left empty, every policy refuses.
    static_cast<void>(in_python(*raised_, "offer", [&] {
      const py::object pair = object_.get().attr("offer")(round);
      if (!py::isinstance<py::sequence>(pair) || py::len(pair) != 2)
        refuse_type("offer(round) must return a pair (X, means), got {}", shown(pair));
      const Numbers x(py::object(pair[py::int_(0)]), "X of offer(round)");
      const Numbers means(py::object(pair[py::int_(1)]), "means of offer(round)");
      if (x.values().size() != (one_context ? 1 : means.values().size()) * d)
        refuse("X of offer(round) must have {} features for each of {} actions, got the shape {}",
               d, means.values().size(), x.shape_text());
      into.features.assign(x.values().begin(), x.values().end());
      into.means.assign(means.values().begin(), means.values().end());
    }));
  }

 private:
  SharedObject object_;
  std::shared_ptr<Raised> raised_;
};

class PythonInstance final : public Instance {
 public:
  PythonInstance(Facts facts, std::shared_ptr<Raised> raised)
      : Instance(facts.arms, facts.means, facts.rewards),
        calls_(facts.object, std::move(raised)),
        binary_(facts.binary) {}
  [[nodiscard]] double reward(std::uint64_t round, ArmId arm) const noexcept override {
    return calls_.reward(round, arm);
  }
  [[nodiscard]] bool binary_rewards() const noexcept override { return binary_; }

 private:
  Calls calls_;
  bool binary_;
};

class PythonContexts final : public ContextInstance {
 public:
  PythonContexts(const Facts& facts, std::shared_ptr<Raised> raised)
      : ContextInstance(facts.arms.dimension(), facts.one_context, facts.rewards),
        calls_(facts.object, std::move(raised)),
        binary_(facts.binary) {}
  void offer(std::uint64_t round, ContextRound& offered) const override {
    calls_.offer(round, arms().dimension(), one_context(), offered);
  }
  [[nodiscard]] double reward(std::uint64_t round, ArmId action, double) const override {
    return calls_.reward(round, action);
  }
  [[nodiscard]] bool binary_rewards() const noexcept override { return binary_; }

 private:
  Calls calls_;
  bool binary_;
};

class PythonProblem final : public Problem {
 public:
  PythonProblem(std::string name, SharedObject factory, std::shared_ptr<Raised> raised)
      : name_(std::move(name)), factory_(std::move(factory)), raised_(std::move(raised)) {}

  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override {
    using Drawn = std::unique_ptr<const Instance>;
    return in_python(*raised_, name_.c_str(), [&]() -> Drawn {
      const Facts facts = facts_of(factory_.get()(key.value()));
      dimension_ = facts.arms.dimension();
      arms_ = facts.arms.size();
      if (facts.arms.empty()) return std::make_unique<PythonContexts>(facts, raised_);
      return std::make_unique<PythonInstance>(facts, raised_);
    });
  }
  // Of the instance drawn last; no arms in contexts.
  [[nodiscard]] std::size_t dimension() const noexcept override { return dimension_; }
  [[nodiscard]] std::size_t arms() const noexcept override { return arms_; }

 private:
  std::string name_;
  SharedObject factory_;
  std::shared_ptr<Raised> raised_;
  mutable std::atomic<std::size_t> dimension_ = 0;
  mutable std::atomic<std::size_t> arms_ = 0;
};

}  // namespace

ProblemEntry python_problem_entry(std::string name, SharedObject factory,
                                  std::shared_ptr<Raised> raised) {
  const auto make = [=](Parameters&) -> Result<std::unique_ptr<const Problem>> {
    return std::make_unique<PythonProblem>(name, factory, raised);
  };
  return {name, "written in Python", {}, make};
}

}  // namespace phe::python
