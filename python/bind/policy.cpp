// The class Policy: choosing, learning, looking inside.
#include "bindings.hpp"
#include "bound_instance.hpp"
#include "bound_policy.hpp"
#include "offer.hpp"
#include "policies/choice.hpp"
#include "policies/disjoint_policy.hpp"
#include "policies/learner_policy.hpp"
#include "policies/mapped_policy.hpp"

namespace phe::python {

namespace {

constexpr std::uint64_t most_features = 1'000'000;
constexpr std::uint64_t most_rounds = 1'000'000'000'000;

Arms arms_from(py::handle arms, py::handle d) {
  if (arms.is_none() == d.is_none())
    refuse_type(
        "give either arms, an array with a row of features per arm, or d, the number of "
        "features of the actions that come with each round");
  if (arms.is_none()) return Arms::none(count(d, "d", 1, most_features));
  return to_arms(Numbers(arms, "arms"), "arms");
}

std::unique_ptr<BoundPolicy> make(py::handle spec, py::handle arms, py::handle d, py::handle rounds,
                                  py::handle rewards, py::handle seed) {
  return std::make_unique<BoundPolicy>(
      PolicyOptions{text(spec, "spec"), arms_from(arms, d), count(rounds, "rounds", 1, most_rounds),
                    reward_range(rewards, "rewards"), count(seed, "seed")});
}

std::size_t select(BoundPolicy& self, py::handle x, py::handle actions) {
  if (self.kind() == Kind::arms) {
    refuse_offer(x, actions);
    return unwrap(self.in_round([](Policy& policy, Rng& rng) { return choose_arm(policy, rng); }));
  }
  const Offer offer(self, x, actions, false);
  return unwrap(
      self.in_round([&](Policy& policy, Rng& rng) { return policy.select(offer.round(0), rng); }));
}

void update(BoundPolicy& self, py::handle what, py::handle reward, py::handle action) {
  const double paid = real(reward, "reward");
  check_given(self, action, "action");
  if (self.kind() == Kind::arms) {
    const auto arm = static_cast<ArmId>(count(what, "arm", 0, self.options().arms.size() - 1));
    return unwrap(
        self.in_round([&](Policy& policy, const Rng&) { return policy.update(arm, paid); }));
  }
  const Numbers x(what, "x");
  x.require(1, fmt::format("({},)", self.dimension()));
  if (self.kind() == Kind::rows)
    return unwrap(
        self.in_round([&](Policy& policy, const Rng&) { return policy.update(x.values(), paid); }));
  const ActionId id = count(action, "action");
  unwrap(self.in_round(
      [&](Policy& policy, const Rng&) { return policy.update(id, x.values(), paid); }));
}

Decision decide(BoundPolicy& self, py::handle x, py::handle actions, py::handle draws,
                py::handle floor, py::handle resample) {
  const DecideOptions options{count(draws, "draws", 1, 1'000'000), real(floor, "floor"),
                              count(resample, "resample")};
  Decision decision;
  if (self.kind() == Kind::arms) {
    refuse_offer(x, actions);
    unwrap(
        self.with([&](Policy& policy, Rng& rng) { return policy.decide(rng, options, decision); }));
    return decision;
  }
  const Offer offer(self, x, actions, false);
  unwrap(self.with([&](Policy& policy, Rng& rng) {
    return policy.decide(offer.round(0), rng, options, decision);
  }));
  return decision;
}

std::vector<double> theta_of(Learner& learner) {
  const auto theta = learner.theta();
  return {theta.begin(), theta.end()};
}

[[noreturn]] void no_theta(const BoundPolicy& self) {
  throw py::attribute_error(
      fmt::format("policy {} has no linear model, and so no theta", self.options().spec));
}

// Of a policy with one model: an array; with one per action: a dictionary of them.
py::object theta(BoundPolicy& self) {
  std::vector<std::pair<ActionId, std::vector<double>>> found;
  self.with([&](Policy& policy, const Rng&) {
    if (auto* one = dynamic_cast<LearnerPolicy*>(&policy))
      found.emplace_back(0, theta_of(one->learner()));
    else if (auto* many = dynamic_cast<DisjointPolicy*>(&policy))
      for (const ActionId id : many->actions())
        found.emplace_back(id, theta_of(*many->learner(id)));
  });
  if (self.kind() != Kind::disjoint) {
    if (found.empty() || found[0].second.empty()) no_theta(self);
    return to_array(found[0].second);
  }
  py::dict models;
  for (const auto& [id, values] : found) models[py::int_(id)] = to_array(values);
  return models;
}

py::object history(BoundPolicy& self) {
  const std::size_t arms = self.options().arms.size();
  py::array_t<std::uint64_t> pulls(static_cast<py::ssize_t>(arms));
  py::array_t<double> sums(static_cast<py::ssize_t>(arms));
  const std::span counted(pulls.mutable_data(), arms);
  const std::span summed(sums.mutable_data(), arms);
  const bool known = self.with([&](Policy& policy, const Rng&) {
    const auto* of = dynamic_cast<LearnerPolicy*>(&unmapped(policy));
    if (of == nullptr || arms == 0) return false;
    for (ArmId arm = 0; arm < arms; ++arm) {
      counted[arm] = of->history().pulls(arm);
      summed[arm] = of->history().reward_sum(arm);
    }
    return true;
  });
  if (!known)
    throw py::attribute_error(
        "only a policy with fixed arms has a history of pulls by arm; in "
        "contexts it keeps what its model needs");
  return py::module_::import("phebandits._core").attr("History")(pulls, sums);
}

void bind_decision(py::module_& m) {
  py::class_<Decision>(m, "Decision", docs::decision)
      .def_readonly("action", &Decision::action)
      .def_property_readonly("probabilities",
                             [](const Decision& d) { return to_array(d.probabilities); })
      .def_readonly("inverse_propensity", &Decision::inverse_propensity)
      .def_readonly("capped", &Decision::capped)
      .def("__iter__",
           [](const Decision& d) -> py::iterator {
             return py::iter(py::make_tuple(d.action, to_array(d.probabilities)));
           })
      .def("__repr__", [](const Decision& d) {
        return fmt::format("Decision(action={}, probability={})", d.action,
                           d.probabilities.at(d.action));
      });
}

}  // namespace

void bind_policy(py::module_& m) {
  using namespace py::literals;
  const PolicyOptions defaults;
  const DecideOptions deciding;
  m.attr("History") =
      py::module_::import("collections")
          .attr("namedtuple")("History", "pulls reward_sums", "module"_a = "phebandits._core");
  bind_decision(m);
  py::class_<BoundPolicy> policy(m, "Policy", docs::policy);
  policy
      .def(py::init(&make), "spec"_a, "arms"_a = py::none(), py::kw_only(), "d"_a = py::none(),
           "rounds"_a = defaults.rounds,
           "rewards"_a = py::make_tuple(defaults.rewards.low, defaults.rewards.high),
           "seed"_a = defaults.seed)
      .def_static(
          "for_instance",
          [](py::handle spec, const BoundInstance& instance, py::handle rounds) {
            return std::make_unique<BoundPolicy>(text(spec, "spec"), instance,
                                                 count(rounds, "rounds", 1, most_rounds));
          },
          "spec"_a, "instance"_a, "rounds"_a = defaults.rounds, docs::for_instance)
      .def("select", &select, "X"_a = py::none(), "actions"_a = py::none(), docs::select)
      .def("update", &update, "what"_a, "reward"_a, py::kw_only(), "action"_a = py::none(),
           docs::update)
      .def("decide", &decide, "X"_a = py::none(), "actions"_a = py::none(), py::kw_only(),
           "draws"_a = deciding.draws, "floor"_a = deciding.floor, "resample"_a = deciding.resample,
           docs::decide)
      .def_property_readonly("theta", &theta, docs::theta)
      .def_property_readonly("history", &history, docs::history)
      .def_property_readonly("spec", [](const BoundPolicy& p) { return p.options().spec; })
      .def_property_readonly("d", &BoundPolicy::dimension)
      .def_property_readonly("arms",
                             [](const BoundPolicy& p) -> py::object {
                               if (p.options().arms.empty()) return py::none();
                               return to_matrix(p.options().arms);
                             })
      .def_property_readonly("rounds", [](const BoundPolicy& p) { return p.options().rounds; })
      .def_property_readonly("seed", [](const BoundPolicy& p) { return p.options().seed; })
      .def_property_readonly("rewards",
                             [](const BoundPolicy& p) {
                               const RewardRange& range = p.options().rewards;
                               return py::make_tuple(range.low, range.high);
                             })
      .def("__repr__", [](py::handle self) {
        const auto& p = self.cast<const BoundPolicy&>();
        const std::size_t k = p.options().arms.size();
        return fmt::format("<{} {}: {}>", Py_TYPE(self.ptr())->tp_name, p.options().spec,
                           k > 0 ? fmt::format("{} arms, d = {}", k, p.dimension())
                                 : fmt::format("contexts, d = {}", p.dimension()));
      });
  bind_batches(policy);
  bind_state(policy);
}

}  // namespace phe::python
