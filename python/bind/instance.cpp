// Instances of problems, and `run`, which plays one without leaving C++.
#include <algorithm>

#include "bindings.hpp"
#include "bound_instance.hpp"
#include "policies/choice.hpp"
#include "support/memory.hpp"

namespace phe::python {

namespace {

void check_round(const BoundInstance& self, std::uint64_t round) {
  if (round >= self.most_rounds())
    refuse("round must be below {}, the rounds of this problem, got {}", self.most_rounds(), round);
}

const ContextInstance& contexts_of(const BoundInstance& self) {
  if (self.contexts() == nullptr)
    throw py::attribute_error("this problem has fixed arms: see its arms and means");
  return *self.contexts();
}

double reward(const BoundInstance& self, py::handle round, py::handle arm) {
  const std::uint64_t t = count(round, "round");
  check_round(self, t);
  if (self.contexts() == nullptr)
    return self->reward(t, static_cast<ArmId>(count(arm, "arm", 0, self->arms().size() - 1)));
  ContextRound offered;
  self.contexts()->offer(t, offered);
  const auto action = static_cast<ArmId>(count(arm, "arm", 0, offered.means.size() - 1));
  return self.contexts()->reward(t, action, offered.means[action]);
}

py::array features_of(const ContextInstance& instance, const ContextRound& offered) {
  py::array_t<double> flat = to_array(offered.features);
  if (instance.one_context()) return flat;
  return flat.reshape({offered.means.size(), instance.arms().dimension()});
}

py::tuple offer(const BoundInstance& self, py::handle round) {
  const ContextInstance& instance = contexts_of(self);
  const std::uint64_t t = count(round, "round");
  check_round(self, t);
  ContextRound offered;
  instance.offer(t, offered);
  return py::make_tuple(features_of(instance, offered), to_array(offered.means));
}

// What came of one round.
struct Played {
  std::size_t action = 0;
  double reward = 0.0;
  double gap = 0.0;
};

Result<Played> play(const Instance& bandit, std::uint64_t round, Policy& policy, Rng& rng) {
  const auto chosen = choose_arm(policy, rng);
  if (!chosen) return chosen.error();
  const auto arm = static_cast<ArmId>(chosen.value());
  const double reward = bandit.reward(round, arm);
  if (auto done = policy.update(arm, reward); !done) return done.error();
  return Played{arm, reward, bandit.gap(arm)};
}

Result<Played> play(const ContextInstance& bandit, std::uint64_t round, Policy& policy, Rng& rng,
                    ContextRound& offered) {
  bandit.offer(round, offered);
  const std::span<const double> features = offered.features;
  const std::size_t count = offered.means.size();
  const std::size_t d = bandit.arms().dimension();
  const auto chosen = policy.select(
      bandit.one_context() ? Actions::context(features, count) : Actions::rows(count, features),
      rng);
  if (!chosen) return chosen.error();
  const auto action = static_cast<ArmId>(chosen.value());
  const double mean = offered.means[action];
  const double reward = bandit.reward(round, action, mean);
  auto done = bandit.one_context() ? policy.update(ActionId{action}, features, reward)
                                   : policy.update(features.subspan(action * d, d), reward);
  if (!done) return done.error();
  return Played{action, reward, *std::ranges::max_element(offered.means) - mean};
}

void check_fit(const BoundPolicy& policy, const BoundInstance& instance) {
  const Kind wanted = instance.contexts() == nullptr ? Kind::arms
                      : instance.one_context()       ? Kind::disjoint
                                                     : Kind::rows;
  constexpr const char* names[] = {"fixed arms", "features of each action", "one context a round"};
  if (policy.kind() != wanted)
    refuse("policy {} was made for {}, and problem {} has {}", policy.options().spec,
           names[static_cast<int>(policy.kind())], instance.spec(),
           names[static_cast<int>(wanted)]);
  if (policy.dimension() != instance->arms().dimension() ||
      policy.options().arms.size() != instance->arms().size())
    refuse("policy {} has d = {} and {} arms, problem {} d = {} and {} arms", policy.options().spec,
           policy.dimension(), policy.options().arms.size(), instance.spec(),
           instance->arms().dimension(), instance->arms().size());
}

// (actions, rewards, gaps) of each round.
py::tuple run(BoundPolicy& policy, const BoundInstance& instance, py::handle rounds,
              py::handle first_round) {
  check_fit(policy, instance);
  const std::uint64_t first = count(first_round, "first_round", 0, instance.most_rounds());
  const std::uint64_t n = count(rounds, "rounds", 0, instance.most_rounds() - first);
  unwrap(check_memory(fmt::format("rounds: the records of {} rounds", n),
                      24.0 * static_cast<double>(n)));
  py::array_t<std::int64_t> actions(static_cast<py::ssize_t>(n));
  py::array_t<double> rewards(static_cast<py::ssize_t>(n));
  py::array_t<double> gaps(static_cast<py::ssize_t>(n));
  std::int64_t* const action = actions.mutable_data();
  double* const reward = rewards.mutable_data();
  double* const gap = gaps.mutable_data();
  ContextRound offered;
  policy.with_each(n, [&](Policy& of, Rng& rng, std::size_t i) {
    const auto played = instance.contexts() != nullptr
                            ? play(*instance.contexts(), first + i, of, rng, offered)
                            : play(*instance, first + i, of, rng);
    if (!played) refuse("round {}: {}", first + i, played.error().message);
    action[i] = static_cast<std::int64_t>(played->action);
    reward[i] = played->reward;
    gap[i] = played->gap;
  });
  return py::make_tuple(actions, rewards, gaps);
}

}  // namespace

void bind_instance(py::module_& m) {
  using namespace py::literals;
  py::class_<BoundInstance>(m, "Instance", docs::instance)
      .def(py::init([](py::handle spec, py::handle seed, py::handle number) {
             return std::make_unique<BoundInstance>(text(spec, "spec"), count(seed, "seed"),
                                                    count(number, "number"));
           }),
           "spec"_a, py::kw_only(), "seed"_a = 1, "number"_a = 0)
      .def("reward", &reward, "round"_a, "arm"_a, docs::reward)
      .def("offer", &offer, "round"_a, docs::offer)
      .def_property_readonly("arms",
                             [](const BoundInstance& self) -> py::object {
                               if (self.contexts() != nullptr) return py::none();
                               return to_matrix(self->arms());
                             })
      .def_property_readonly("means",
                             [](const BoundInstance& self) -> py::object {
                               if (self.contexts() != nullptr) return py::none();
                               return to_array(self->means());
                             })
      .def_property_readonly("d",
                             [](const BoundInstance& self) { return self->arms().dimension(); })
      .def_property_readonly("one_context", &BoundInstance::one_context)
      .def_property_readonly("binary",
                             [](const BoundInstance& self) { return self->binary_rewards(); })
      .def_property_readonly("rewards",
                             [](const BoundInstance& self) {
                               const RewardRange range = self->reward_range();
                               return py::make_tuple(range.low, range.high);
                             })
      .def_property_readonly("spec", &BoundInstance::spec)
      .def_property_readonly("seed", &BoundInstance::seed)
      .def_property_readonly("number", &BoundInstance::number)
      .def("__repr__", [](const BoundInstance& self) {
        return fmt::format("<Instance {} of {}, seed {}>", self.number(), self.spec(), self.seed());
      });
  m.def(
      "independent_arms",
      [](py::handle arms) {
        py::list order;
        for (const ArmId arm : to_arms(Numbers(arms, "arms"), "arms").independent_arms())
          order.append(arm);
        return order;
      },
      "arms"_a);
  m.def("run", &run, "policy"_a, "instance"_a, "rounds"_a, "first_round"_a = 0);
}

}  // namespace phe::python
