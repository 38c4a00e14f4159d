// Rounds of a policy in contexts, as all benchmarks time them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "phe/decision.hpp"
#include "support/rounds.hpp"

namespace phe::bench {

// The features of a few rounds, over and over, prepared before the clock starts. 16 rounds of 100
// actions with 20 features are 256 KB: like features that a caller has just computed, they are
// near.
struct Contexts {
  std::size_t dimension;
  std::size_t actions;
  std::vector<double> features;  // of all actions of a round, row by row; or a round's one context
  std::vector<double> means;     // of all actions of a round
  std::vector<double> uniforms;  // that decide rewards

  [[nodiscard]] std::size_t rounds() const { return means.size() / actions; }
  [[nodiscard]] std::span<const double> offered(std::uint64_t round) const {
    const std::size_t numbers = features.size() / rounds();
    return std::span(features).subspan(round % rounds() * numbers, numbers);
  }
  [[nodiscard]] double reward(std::uint64_t round, std::size_t action) const {
    const double mean = means[round % rounds() * actions + action];
    return uniforms[round % uniforms.size()] < mean ? 1.0 : 0.0;
  }
};

inline constexpr std::size_t rounds_offered = 16;
// The first rounds of an instance of a problem with contexts.
Contexts draw_contexts(const std::string& problem, std::size_t rounds = rounds_offered);

// Like the 1,797 images of handwritten digits of the UCI repository, which policies learn to name:
// 8 x 8 pixels from 0 to 16, many of them 0, as [0, 1]. One context a round; the right action of
// ten pays 1.
inline constexpr std::size_t images = 1'797;
Contexts draw_images();

// A phe policy for contexts, with the randomness that it draws from.
class ContextPlayer {
 public:
  ContextPlayer(std::unique_ptr<Policy> policy, std::size_t actions)
      : policy_(std::move(policy)), actions_(actions), rng_(StreamKey(seed).with(Stream::policy)) {}

  std::size_t select(std::span<const double> features) {
    return policy_->select(Actions::rows(actions_, features), rng_).value();
  }
  std::size_t decide(std::span<const double> features) {
    static_cast<void>(policy_->decide(Actions::rows(actions_, features), rng_, {}, decision_));
    return decision_.action;
  }
  void update(std::span<const double> x, double reward) {
    static_cast<void>(policy_->update(x, reward));
  }
  // One context, a model per action.
  std::size_t select_in(std::span<const double> context) {
    return policy_->select(Actions::context(context, actions_), rng_).value();
  }
  void update_in(std::size_t action, std::span<const double> context, double reward) {
    static_cast<void>(policy_->update(ActionId{action}, context, reward));
  }

 private:
  std::unique_ptr<Policy> policy_;
  std::size_t actions_;
  Rng rng_;
  Decision decision_;
};

// Nothing, and a word on stderr, when the library has no policy of that name.
std::optional<PolicySpec> find_context_policy(const std::string& spec);
ContextPlayer make_player(const PolicySpec& policy, const Contexts& contexts, std::uint64_t rounds);

// Plays rounds first .. last - 1 with a ContextPlayer or a comparator's ContextPolicy. Fresh
// contexts never repeat, so the row that is learnt from is changed a little in each round: a policy
// that counts equal rows together must find none.
template <class Player>
void play_rows(Player& player, const Contexts& contexts, std::uint64_t first, std::uint64_t last) {
  const std::size_t d = contexts.dimension;
  std::vector<double> x(d);
  for (std::uint64_t round = first; round < last; ++round) {
    const auto offered = contexts.offered(round);
    const std::size_t action = player.select(offered);
    std::copy_n(offered.begin() + static_cast<std::ptrdiff_t>(action * d), d, x.begin());
    x[0] += static_cast<double>(round) * 0x1p-40;
    player.update(x, contexts.reward(round, action));
  }
}

}  // namespace phe::bench
