// Registry: names become policies and problems.
//
// A policy or a problem is asked for as `name:key=value,key=value`. The entry that builds it also
// lists its keys, defaults and meaning, so `phe policies` cannot disagree with the code. Add
// entries of your own to use them in the simulator beside the built-in ones.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phe/arms.hpp"
#include "phe/parameters.hpp"
#include "phe/policy.hpp"
#include "phe/problem.hpp"
#include "phe/result.hpp"

namespace phe {

// What a policy may know before the first round.
struct PolicyContext {
  Arms arms;             // Arms::none(d) in contexts
  std::uint64_t rounds;  // the horizon n
  RewardRange rewards;
  bool binary_rewards = false;  // rewards are only ever the two ends of that range
  bool one_context = false;     // in contexts: one of d features for all actions of a round

  static PolicyContext of(const Instance& bandit, std::uint64_t rounds);
};

struct PolicyEntry {
  std::string name;
  std::string summary;
  std::vector<ParameterInfo> parameters;
  std::function<Result<std::unique_ptr<Policy>>(Parameters&, const PolicyContext&)> make;
};

struct ProblemEntry {
  std::string name;
  std::string summary;
  std::vector<ParameterInfo> parameters;
  std::function<Result<std::unique_ptr<const Problem>>(Parameters&)> make;
};

// A spec string that has been checked against its entry, ready to build from many times.
struct PolicySpec {
  std::string text;  // as it was asked for
  Parameters parameters;
  const PolicyEntry* entry;

  [[nodiscard]] Result<std::unique_ptr<Policy>> make(const PolicyContext& context) const;
};

struct ProblemSpec {
  std::string text;
  Parameters parameters;
  std::shared_ptr<const Problem> problem;

  // What instance `number` under this seed is drawn from, whoever asks for it.
  [[nodiscard]] StreamKey instance_key(std::uint64_t seed, std::uint64_t number) const;
  [[nodiscard]] Result<std::unique_ptr<const Instance>> instance(std::uint64_t seed,
                                                                 std::uint64_t number) const;
};

class Registry {
 public:
  // All policies and problems of this library.
  static Registry built_in();

  void add(PolicyEntry entry);
  void add(ProblemEntry entry);

  [[nodiscard]] const std::vector<std::unique_ptr<PolicyEntry>>& policies() const noexcept {
    return policies_;
  }
  [[nodiscard]] const std::vector<std::unique_ptr<ProblemEntry>>& problems() const noexcept {
    return problems_;
  }

  // An error names what is wrong and, for a mistyped name, the nearest valid one. Files that the
  // spec names are looked for where `locate` says. The registry must outlive what these return.
  [[nodiscard]] Result<PolicySpec> policy(std::string_view spec,
                                          const FileLocator& locate = {}) const;
  [[nodiscard]] Result<ProblemSpec> problem(std::string_view spec,
                                            const FileLocator& locate = {}) const;

 private:
  std::vector<std::unique_ptr<PolicyEntry>> policies_;
  std::vector<std::unique_ptr<ProblemEntry>> problems_;
};

}  // namespace phe
