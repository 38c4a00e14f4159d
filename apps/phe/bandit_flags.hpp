// Flags that name one bandit: a problem, a seed and an instance of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include <phe/problem.hpp>
#include <phe/registry.hpp>
#include <phe/result.hpp>

namespace phe::app {

// As typed. Numbers are text, so that a bad one is told in our own words.
struct BanditFlags {
  std::string problem = "linear";
  std::optional<std::string> instance;
  std::optional<std::string> seed;

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
