// select_many and update_many: loops that stay in C++.
#include "bindings.hpp"
#include "offer.hpp"
#include "policies/choice.hpp"
#include "policies/door.hpp"
#include "support/memory.hpp"

namespace phe::python {

namespace {

using Places = py::array_t<std::int64_t>;

constexpr std::uint64_t most_rounds = std::uint64_t{1} << 40;

Places places(std::uint64_t n) {
  unwrap(
      check_memory(fmt::format("n: {} choices", n), static_cast<double>(n) * sizeof(std::int64_t)));
  return Places(static_cast<py::ssize_t>(n));
}

Places select_many(BoundPolicy& self, py::handle x, py::handle n, py::handle actions) {
  if (self.kind() == Kind::arms) {
    refuse_offer(x, actions);
    if (n.is_none()) refuse_type("n, the number of choices, must be given");
    Places chosen = places(count(n, "n", 0, most_rounds));
    const std::span into(chosen.mutable_data(), static_cast<std::size_t>(chosen.size()));
    self.with_each(into.size(), [&](Policy& policy, Rng& rng, std::size_t i) {
      const auto arm = choose_arm(policy, rng);
      if (!arm) refuse("{}", arm.error().message);
      into[i] = static_cast<std::int64_t>(arm.value());
    });
    return chosen;
  }
  const Offer offer(self, x, actions, true);
  if (offer.many() != n.is_none()) {
    if (n.is_none()) refuse_type("n, the number of choices, must be given when X is of one round");
    if (count(n, "n") != offer.rounds())
      refuse("n must be left out, or be {}, the rounds of X, got {}", offer.rounds(), shown(n));
  }
  Places chosen = places(offer.many() ? offer.rounds() : count(n, "n", 0, most_rounds));
  const std::span into(chosen.mutable_data(), static_cast<std::size_t>(chosen.size()));
  self.with_each(into.size(), [&](Policy& policy, Rng& rng, std::size_t i) {
    const auto place = policy.select(offer.round(i), rng);
    if (!place) refuse("X[{}]: {}", i, place.error().message);
    into[i] = static_cast<std::int64_t>(place.value());
  });
  return chosen;
}

// What a list of rewards is checked for before the first is learnt.
struct Door {
  std::string name;
  RewardRange range;

  void check(const char* list, std::size_t i, double reward) const {
    if (range.contains(reward)) return;
    refuse("{}[{}]: {}", list, i, bad_reward(name, range, reward).message);
  }
};

Door door_of(BoundPolicy& self) {
  return self.with([&](Policy& policy, const Rng&) -> Door {
    return {std::string(policy.name()), self.options().rewards};
  });
}

// Each learnt in turn. Refused in the middle only what the checks before could not know.
template <class Learn>
void learn_each(BoundPolicy& self, std::size_t count, Learn learn) {
  self.with_each(count, [&](Policy& policy, const Rng&, std::size_t i) {
    if (const auto done = learn(policy, i); !done)
      refuse("rewards[{}]: {} (those before it are learnt)", i, done.error().message);
  });
}

void update_arms(BoundPolicy& self, py::handle arms, std::span<const double> rewards) {
  const auto chosen = counts(arms, "rows");
  if (chosen.size() != rewards.size())
    refuse("rows and rewards must be equally many, got {} and {}", chosen.size(), rewards.size());
  const std::size_t k = self.options().arms.size();
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] >= k) refuse("rows[{}] must be an arm from 0 to {}, got {}", i, k - 1, chosen[i]);
  learn_each(self, chosen.size(), [&](Policy& policy, std::size_t i) {
    return policy.update(static_cast<ArmId>(chosen[i]), rewards[i]);
  });
}

void update_rows(BoundPolicy& self, const Door& door, py::handle rows,
                 std::span<const double> rewards, py::handle actions) {
  const std::size_t d = self.dimension();
  const Numbers x(rows, "rows");
  x.require(2, fmt::format("(n, {})", d));
  if (x.shape(1) != d) refuse("rows must have the shape (n, {}), got {}", d, x.shape_text());
  if (x.shape(0) != rewards.size())
    refuse("rows and rewards must be equally many, got {} and {}", x.shape(0), rewards.size());
  const auto row = [&](std::size_t i) { return x.values().subspan(i * d, d); };
  for (std::size_t i = 0; i < rewards.size(); ++i)
    if (const auto checked = check_features(door.name, d, row(i)); !checked)
      refuse("rows[{}]: {}", i, checked.error().message);
  if (self.kind() == Kind::rows)
    return learn_each(self, rewards.size(), [&](Policy& policy, std::size_t i) {
      return policy.update(row(i), rewards[i]);
    });
  const auto ids = counts(actions, "actions");
  if (ids.size() != rewards.size())
    refuse("actions and rewards must be equally many, got {} and {}", ids.size(), rewards.size());
  learn_each(self, ids.size(), [&](Policy& policy, std::size_t i) {
    return policy.update(ActionId{ids[i]}, row(i), rewards[i]);
  });
}

void update_many(BoundPolicy& self, py::handle rows, py::handle rewards, py::handle actions) {
  check_given(self, actions, "actions");
  const Numbers paid(rewards, "rewards");
  paid.require(1, "(n,)");
  const Door door = door_of(self);
  for (std::size_t i = 0; i < paid.values().size(); ++i) door.check("rewards", i, paid.values()[i]);
  if (self.kind() == Kind::arms) return update_arms(self, rows, paid.values());
  update_rows(self, door, rows, paid.values(), actions);
}

}  // namespace

void bind_batches(PolicyClass& policy) {
  using namespace py::literals;
  policy
      .def("select_many", &select_many, "X"_a = py::none(), "n"_a = py::none(), py::kw_only(),
           "actions"_a = py::none(), docs::select_many)
      .def("update_many", &update_many, "rows"_a, "rewards"_a, py::kw_only(),
           "actions"_a = py::none(), docs::update_many);
}

}  // namespace phe::python
