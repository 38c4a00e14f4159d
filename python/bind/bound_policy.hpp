// BoundPolicy: a policy with its own stream of randomness, as Python holds it.
//
// Several threads may use one: its calls take turns. The lock of Python is let go in every call but
// those that are known to be short, and is never waited for while a policy's own lock is held.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "arguments.hpp"
#include "phe/registry.hpp"
#include "turns.hpp"

namespace phe::python {

class BoundInstance;

// All that a policy is made of.
struct PolicyOptions {
  std::string spec;
  Arms arms = Arms::none(1);  // Arms::none(d) for contexts
  std::uint64_t rounds = 10'000;
  RewardRange rewards = {};
  std::uint64_t seed = 1;
  bool one_context = false;  // a round has one context, whether the policy's spec says so or not
};

enum class Kind {
  arms,     // fixed: select(), update(arm, reward)
  rows,     // contexts, one model: select(X), update(x, reward)
  disjoint  // contexts, one model per action: select(x, actions), update(x, reward, action)
};

class BoundPolicy {
 public:
  explicit BoundPolicy(PolicyOptions options);
  // As the simulator makes it for an instance, in the stream that it has there.
  BoundPolicy(const std::string& spec, const BoundInstance& instance, std::uint64_t rounds);

  [[nodiscard]] const PolicyOptions& options() const noexcept { return options_; }
  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] std::size_t dimension() const noexcept { return options_.arms.dimension(); }

  // work(policy, rng), alone with both.
  template <class Work>
  auto with(Work work) {
    return in_turn(mutex_, false, [&] { return work(*policy_, rng_); });
  }
  // The same for one select or update, which may be known to be short.
  template <class Work>
  auto in_round(Work work) {
    return in_turn(mutex_, quick_, [&] { return work(*policy_, rng_); });
  }
  // work(policy, rng, i) for i = 0 .. count - 1; Ctrl-C ends it in between.
  template <class Work>
  void with_each(std::size_t count, Work work) {
    in_turns(mutex_, count, [&](std::size_t i) { work(*policy_, rng_, i); });
  }

  // For one that no other thread knows.
  [[nodiscard]] const Policy& policy() const noexcept { return *policy_; }

  // The state of the stream, as bytes.
  [[nodiscard]] std::string save_stream();
  void load_stream(std::string_view bytes);

 private:
  BoundPolicy(PolicyOptions options, PolicySpec spec, const PolicyContext& context, Rng rng);

  PolicyOptions options_;
  Kind kind_;
  std::unique_ptr<Policy> policy_;
  Rng rng_;
  bool quick_;
  std::mutex mutex_;
};

// All policies and problems of the library.
const Registry& registry();

}  // namespace phe::python
