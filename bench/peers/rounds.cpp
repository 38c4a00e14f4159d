// Times decisions and updates of phe's policies in C++ on a world that the Python harness wrote:
// peer_rounds FILE SPEC... prints a JSON object of seconds per round.
//
// FILE: kind (0 fixed arms, 1 features of each action, 2 one context), rounds, actions, d as
// 64-bit numbers; then the features as doubles, of the arms or of every round; then a byte per
// round and action, the reward.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <phe/registry.hpp>

namespace {

enum class Kind : std::uint64_t { arms, rows, one };

struct World {
  Kind kind{};
  std::uint64_t rounds = 0;
  std::uint64_t actions = 0;
  std::uint64_t d = 0;
  std::vector<double> features;
  std::vector<unsigned char> rewards;

  [[nodiscard]] std::size_t per_round() const { return kind == Kind::rows ? actions * d : d; }
  [[nodiscard]] std::span<const double> offered(std::size_t round) const {
    return std::span(features).subspan(round * per_round(), per_round());
  }
  [[nodiscard]] double reward(std::size_t round, std::size_t action) const {
    return rewards[round * actions + action];
  }
};

World read(const char* file) {
  World world;
  std::ifstream in(file, std::ios::binary);
  const auto bytes = [&](void* to, std::size_t count) {
    in.read(static_cast<char*>(to), static_cast<std::streamsize>(count));
  };
  bytes(&world, 4 * sizeof(std::uint64_t));
  world.features.resize(world.kind == Kind::arms ? world.actions * world.d
                                                 : world.rounds * world.per_round());
  bytes(world.features.data(), world.features.size() * sizeof(double));
  world.rewards.resize(world.rounds * world.actions);
  bytes(world.rewards.data(), world.rewards.size());
  if (!in) std::fprintf(stderr, "%s: too short\n", file), std::exit(1);
  return world;
}

template <class T>
T value_of(phe::Result<T> result) {
  if (!result) std::fprintf(stderr, "%s\n", result.error().message.c_str()), std::exit(1);
  return std::move(result).value();
}

std::unique_ptr<phe::Policy> make(const phe::Registry& registry, const World& world,
                                  const std::string& spec) {
  auto arms = phe::Arms::none(world.d);
  if (world.kind == Kind::arms)
    arms = value_of(phe::Arms::generate(world.actions, world.d, [&](std::size_t k, std::size_t j) {
      return world.features[k * world.d + j];
    }));
  const phe::PolicyContext context{arms, world.rounds, {0, 1}, true, world.kind == Kind::one};
  return value_of(value_of(registry.policy(spec)).make(context));
}

void round_of_arms(const World& world, phe::Policy& policy, phe::Rng& rng, std::size_t t) {
  const phe::ArmId arm = policy.select(rng);
  (void)policy.update(arm, world.reward(t, arm));
}

void round_of_rows(const World& world, phe::Policy& policy, phe::Rng& rng, std::size_t t) {
  const auto features = world.offered(t);
  const auto action = policy.select(phe::Actions::rows(world.actions, features), rng).value();
  (void)policy.update(features.subspan(action * world.d, world.d), world.reward(t, action));
}

void round_of_one(const World& world, phe::Policy& policy, phe::Rng& rng, std::size_t t) {
  const auto context = world.offered(t);
  const auto action = policy.select(phe::Actions::context(context, world.actions), rng).value();
  (void)policy.update(phe::ActionId{action}, context, world.reward(t, action));
}

double seconds_per_round(const World& world, phe::Policy& policy) {
  constexpr decltype(&round_of_arms) rounds[] = {round_of_arms, round_of_rows, round_of_one};
  const auto play = rounds[static_cast<std::size_t>(world.kind)];
  phe::Rng rng(1);
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t t = 0; t < world.rounds; ++t) play(world, policy, rng, t);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(world.rounds);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return std::fprintf(stderr, "usage: peer_rounds FILE SPEC...\n"), 2;
  const World world = read(arguments[1]);
  const phe::Registry registry = phe::Registry::built_in();
  for (int i = 2; i < count; ++i) {
    const auto policy = make(registry, world, arguments[i]);
    std::printf("%s\"%s\": %.4g", i == 2 ? "{" : ", ", arguments[i],
                seconds_per_round(world, *policy));
  }
  std::printf("}\n");
}
