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
#include "phe/policy.hpp"
#include "phe/problem.hpp"
#include "phe/result.hpp"

namespace phe {

struct ParameterInfo {
  std::string key;
  std::string default_value;
  std::string meaning;
};

// The values of one entry's keys: those that were given, defaults for the rest. The first value
// that cannot be read is remembered; check error() after reading.
class Parameters {
 public:
  [[nodiscard]] double real(std::string_view key);
  [[nodiscard]] std::uint64_t count(std::string_view key);
  [[nodiscard]] bool flag(std::string_view key);
  [[nodiscard]] std::string text(std::string_view key) const;
  // The position of the value among `choices`.
  [[nodiscard]] std::size_t choice(std::string_view key, const std::vector<std::string>& choices);
  [[nodiscard]] bool given(std::string_view key) const;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // The name and every value that is not its default, in the entry's order: equal for equal things.
  [[nodiscard]] std::string canonical() const;
  [[nodiscard]] const Result<void>& error() const noexcept { return error_; }

  // Reads `name:key=value,..` against the keys that exist. A key whose default is true or false may
  // stand alone and is then true; every other one needs a value.
  static Result<Parameters> parse(std::string_view kind, std::string_view spec,
                                  const std::vector<ParameterInfo>& known);

 private:
  struct Value {
    std::string key;
    std::string text;
    std::string default_text;
    bool given = false;
  };
  [[nodiscard]] const Value& find(std::string_view key) const;
  void fail(std::string_view key, std::string_view text, std::string_view allowed);

  std::string kind_;  // "policy" or "problem", for messages
  std::string name_;
  std::vector<Value> values_;
  Result<void> error_;
};

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

  // An error names what is wrong and, for a mistyped name, the nearest valid one. The registry must
  // outlive what these return.
  [[nodiscard]] Result<PolicySpec> policy(std::string_view spec) const;
  [[nodiscard]] Result<ProblemSpec> problem(std::string_view spec) const;

 private:
  std::vector<std::unique_ptr<PolicyEntry>> policies_;
  std::vector<std::unique_ptr<ProblemEntry>> problems_;
};

}  // namespace phe
