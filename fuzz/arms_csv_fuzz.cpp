// Feature files: any bytes give arms or a message. Arms survive being written and read again, have
// as many independent rows as their rank, and every policy either refuses them or can play them.
#include <set>

#include <fmt/format.h>

#include "memory_file.hpp"
#include "phe/arms.hpp"
#include "phe/registry.hpp"
#include "phe/rng.hpp"
#include "target.hpp"

namespace phe::fuzz {

namespace {

constexpr int rounds = 4;

std::string to_csv(const Arms& arms) {
  std::string text;
  for (ArmId arm = 0; arm < arms.size(); ++arm)
    for (std::size_t j = 0; j < arms.dimension(); ++j)
      text += fmt::format("{}{}", arms.at(arm, j), j + 1 < arms.dimension() ? ',' : '\n');
  return text;
}

void play(const PolicyEntry& entry, const Registry& registry, const Arms& arms) {
  const auto policy =
      registry.policy(entry.name)
          ->make({.arms = arms, .rounds = rounds, .rewards = {}, .binary_rewards = true});
  if (!policy) return demand_one_line(policy.error().message);
  Rng rng(1);
  for (int round = 0; round < rounds; ++round) {
    const ArmId arm = policy.value()->select(rng);
    demand(arm < arms.size(), "a policy chooses an arm that exists");
    demand(policy.value()->update(arm, round % 2).ok(), "0 and 1 are rewards");
  }
}

}  // namespace

void check(std::string_view input) {
  static const Registry registry = Registry::built_in();
  const auto arms = Arms::from_csv(MemoryFile(input).path());
  if (!arms) return demand_one_line(arms.error().message);
  const std::string text = to_csv(arms.value());
  const auto again = Arms::from_csv(MemoryFile(text).path());
  demand(again && to_csv(again.value()) == text, "arms survive a file");

  const auto rows = arms->independent_arms();
  demand(rows.size() <= arms->dimension(), "no more independent arms than features");
  demand(std::set(rows.begin(), rows.end()).size() == rows.size(), "independent arms differ");
  if (arms->size() * arms->dimension() > 64) return;
  // One policy an input, by its length: all get their turn.
  play(*registry.policies()[input.size() % registry.policies().size()], registry, arms.value());
}

}  // namespace phe::fuzz
