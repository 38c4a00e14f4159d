// A policy and a problem that cost nothing, to test what surrounds them.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "phe/registry.hpp"
#include "phe/simulate.hpp"
#include "support/error.hpp"

namespace phe::test {

class ToyPolicy final : public Policy {
 public:
  explicit ToyPolicy(std::uint64_t arms) : arms_(arms) {}

  ArmId select(Rng& rng) override { return static_cast<ArmId>(rng.below(arms_)); }
  Result<void> update(ArmId, double) override { return {}; }
  [[nodiscard]] std::string_view name() const noexcept override { return "toy"; }

 private:
  std::uint64_t arms_;
};

class ToyInstance final : public Instance {
 public:
  ToyInstance(Arms arms, std::vector<double> means) : Instance(std::move(arms), std::move(means)) {}

  [[nodiscard]] double reward(std::uint64_t, ArmId arm) const noexcept override {
    return means()[arm];
  }
};

class ToyProblem final : public Problem {
 public:
  explicit ToyProblem(std::size_t dimension) : dimension_(dimension) {}

  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override {
    auto made =
        Arms::generate(arms(), dimension_, [](auto arm, auto) { return arm == 0 ? 1.0 : 2.0; });
    if (!made) return made.error();
    SplitMix words(key);
    std::vector<double> means;
    for (std::size_t arm = 0; arm < arms(); ++arm) means.push_back(to_unit(words()));
    return std::make_unique<const ToyInstance>(std::move(made).value(), std::move(means));
  }
  [[nodiscard]] std::size_t dimension() const noexcept override { return dimension_; }
  [[nodiscard]] std::size_t arms() const noexcept override { return 3; }

 private:
  std::size_t dimension_;
};

// Policy toy:a=..,label=.. refuses a <= 0; problem toy:d=..,kind=..
inline Registry toy_registry() {
  Registry registry;
  registry.add(PolicyEntry{
      "toy",
      "pulls at random",
      {{"a", "1", "a number > 0"}, {"label", "none", "any text"}},
      [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
        if (const double a = p.real("a"); !(a > 0)) return invalid("toy: a must be > 0, got {}", a);
        return std::make_unique<ToyPolicy>(context.arms.size());
      }});
  registry.add(ProblemEntry{"toy",
                            "three arms",
                            {{"d", "2", "features"}, {"kind", "plain", "any text"}},
                            [](Parameters& p) -> Result<std::unique_ptr<const Problem>> {
                              return std::make_unique<const ToyProblem>(p.count("d"));
                            }});
  return registry;
}

}  // namespace phe::test
