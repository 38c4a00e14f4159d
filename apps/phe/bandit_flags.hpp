// Flags that name one bandit: a problem, a seed and an instance of it.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "common_flags.hpp"
#include <phe/problem.hpp>
#include <phe/registry.hpp>
#include <phe/result.hpp>

namespace phe::app {

struct BanditFlags {
  std::string problem = "linear";
  Typed instance;
  Typed seed;

  void add_to(CLI::App& command);
};

struct Bandit {
  std::string problem;  // as it was asked for
  std::uint64_t number = 0;
  std::uint64_t seed = 1;
  StreamKey key{0};
  std::shared_ptr<const Instance> instance;

  // "linear:d=5, instance 0 of seed 1".
  [[nodiscard]] std::string name() const;
};

// The same bandit that phe simulate has under these names.
Result<Bandit> bandit_from(const BanditFlags& flags, const Registry& registry);

}  // namespace phe::app
