// Every policy of the registry, on every kind of problem that it can play, for tests of what all of
// them promise.
#pragma once

#include <cctype>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "phe/registry.hpp"

namespace phe::test {

inline const Registry& registry() {
  static const Registry built_in = Registry::built_in();
  return built_in;
}

// Whether it was built: those around other people's libraries need not be.
inline bool has_policy(const std::string& name) { return registry().policy(name).ok(); }

// A policy and a problem that it can play.
struct Pair {
  std::string policy;
  std::string problem;
};

inline std::string name_of(const testing::TestParamInfo<Pair>& info) {
  std::string name;
  for (const char c : info.param.policy + "_on_" + info.param.problem)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

// In contexts: whoever uses features, shared and disjoint.
inline std::vector<Pair> context_pairs() {
  std::vector<std::string> linear = {"linphe",
                                     "linphe:a=2",
                                     "linphe:a=1.5,centred",
                                     "linphe:schedule=linear",
                                     "linphe:memory=40",
                                     "linphe:a=1.4,fade=1",
                                     "linphe:fade=0.7,memory=40",
                                     "linphe:start=random",
                                     "lints",
                                     "lints:inflated",
                                     "linucb",
                                     "linucb:radius=theorem",
                                     "linucb:width=1",
                                     "lineps",
                                     "greedy",
                                     "linfpl",
                                     "linens",
                                     "linens:noise=bernoulli",
                                     "lingiro",
                                     "lingiro:resample=arms",
                                     "uniform",
                                     "rffphe:features=20",
                                     "rffphe:features=12,scale=0.5,linear,a=1,centred"};
  if (has_policy("xgbphe")) linear.emplace_back("xgbphe:trees=3,depth=2,fits=3");
  const std::vector<std::string> logistic = {"logphe",
                                             "logphe:a=1,centred",
                                             "logphe:stop=gradient",
                                             "logphe:memory=40",
                                             "logts",
                                             "logeps",
                                             "logfpl",
                                             "ucbglm",
                                             "glmucb"};
  const std::vector<std::string> poisson = {"poisphe:a=0.1",
                                            "poisphe:a=0.1,centred",
                                            "poisphe:a=0.1,stop=gradient",
                                            "poisphe:a=0.1,memory=40",
                                            "poists",
                                            "poiseps"};
  std::vector<Pair> pairs;
  for (const auto& policy : linear) {
    pairs.push_back({policy, "linear:d=4,arms=7,contexts"});
    const char separator = policy.find(':') == std::string::npos ? ':' : ',';
    pairs.push_back({policy + separator + "disjoint", "disjoint:d=4,arms=5"});
  }
  for (const auto& policy : logistic) {
    pairs.push_back({policy, "logistic:d=4,arms=7,contexts"});
    const char separator = policy.find(':') == std::string::npos ? ':' : ',';
    pairs.push_back({policy + separator + "disjoint", "disjoint:d=4,arms=5"});
  }
  for (const auto& policy : poisson) {
    pairs.push_back({policy, "poisson:d=4,arms=7,contexts"});
    const char separator = policy.find(':') == std::string::npos ? ':' : ',';
    pairs.push_back({policy + separator + "disjoint", "disjoint:d=4,arms=5"});
  }
  return pairs;
}

// With fixed arms: each of the registry, the dear ones in a small form.
inline std::vector<Pair> fixed_pairs() {
  std::vector<Pair> pairs;
  for (const auto& entry : registry().policies()) {
    const bool logistic =
        entry->name.starts_with("log") || entry->name.find("glm") != std::string::npos;
    const bool poisson = entry->name.starts_with("pois");
    const std::string small = entry->name == "rffphe"   ? ":features=20"
                              : entry->name == "xgbphe" ? ":trees=3,depth=2,fits=3"
                                                        : "";
    pairs.push_back({entry->name + small, logistic  ? "logistic:d=4,arms=12"
                                          : poisson ? "poisson:d=4,arms=12"
                                                    : "linear:d=4,arms=12"});
  }
  pairs.push_back({"linphe:a=1.1,gram=authors", "linear:d=4,arms=12"});
  pairs.push_back({"linphe:schedule=linear,centred", "linear:d=4,arms=12"});
  pairs.push_back({"linphe:start=prior", "linear:d=4,arms=12"});
  pairs.push_back({"linphe:theory", "linear:d=4,arms=12"});
  pairs.push_back({"linucb:radius=theorem", "linear:d=4,arms=12"});
  pairs.push_back({"linens:noise=bernoulli", "linear:d=4,arms=12"});
  pairs.push_back({"lingiro:resample=arms", "linear:d=4,arms=12"});
  return pairs;
}

inline std::vector<Pair> all_pairs() {
  auto pairs = fixed_pairs();
  for (auto& pair : context_pairs()) pairs.push_back(std::move(pair));
  return pairs;
}

// A bandit, and a policy made for it.
class Play {
 public:
  explicit Play(const Pair& pair, std::uint64_t rounds = 1000, std::uint64_t seed = 1)
      : pair_(pair),
        rounds_(rounds),
        instance_(registry().problem(pair.problem).value().problem->draw(StreamKey(seed)).value()),
        contexts_(dynamic_cast<const ContextInstance*>(instance_.get())) {}

  [[nodiscard]] std::unique_ptr<Policy> policy() const {
    return registry()
        .policy(pair_.policy)
        .value()
        .make({instance_->arms(), rounds_, instance_->reward_range(), instance_->binary_rewards(),
               contexts_ != nullptr && contexts_->one_context()})
        .value();
  }

  // What was chosen in one round, and what it paid.
  struct Step {
    std::uint64_t round;
    std::size_t choice;
    double reward;
  };
  Step select(Policy& policy, std::uint64_t round, Rng& rng) {
    if (contexts_ == nullptr) return paid(round, policy.select(rng));
    offer(round);
    return paid(round, policy.select(actions(), rng).value());
  }
  void offer(std::uint64_t round) {
    if (contexts_ != nullptr) contexts_->offer(round, offered_);
  }
  // What `choice` pays; in contexts, in the round offered last.
  [[nodiscard]] Step paid(std::uint64_t round, std::size_t choice) const {
    const auto arm = static_cast<ArmId>(choice);
    return {round, choice,
            contexts_ == nullptr ? instance_->reward(round, arm)
                                 : contexts_->reward(round, arm, offered_.means[choice])};
  }
  Result<void> update(Policy& policy, const Step& step) {
    if (contexts_ == nullptr) return policy.update(static_cast<ArmId>(step.choice), step.reward);
    contexts_->offer(step.round, offered_);
    if (contexts_->one_context())
      return policy.update(ActionId{step.choice}, offered_.features, step.reward);
    const std::size_t d = instance_->arms().dimension();
    return policy.update(std::span(offered_.features).subspan(step.choice * d, d), step.reward);
  }
  // Rounds first .. last - 1; the choices.
  std::vector<std::size_t> play(Policy& policy, Rng& rng, std::uint64_t first, std::uint64_t last) {
    std::vector<std::size_t> choices;
    for (std::uint64_t round = first; round < last; ++round) {
      const Step step = select(policy, round, rng);
      EXPECT_TRUE(update(policy, step).ok());
      choices.push_back(step.choice);
    }
    return choices;
  }

  [[nodiscard]] const Instance& instance() const { return *instance_; }
  [[nodiscard]] const ContextInstance* contexts() const { return contexts_; }
  [[nodiscard]] const ContextRound& offered() const { return offered_; }
  [[nodiscard]] Actions actions() const {
    return contexts_->one_context() ? Actions::context(offered_.features, offered_.means.size())
                                    : Actions::rows(offered_.means.size(), offered_.features);
  }

 private:
  Pair pair_;
  std::uint64_t rounds_;
  std::unique_ptr<const Instance> instance_;
  const ContextInstance* contexts_;
  ContextRound offered_;
};

}  // namespace phe::test
