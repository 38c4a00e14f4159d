// The paper's linear bandit (Section 5.1).
//
// Each instance: the first d - 1 features of an arm are uniform on the unit sphere, the last is 1;
// theta's first d - 1 entries are uniform on the sphere of radius 1/2, the last is 1/2. So every
// mean x^T theta lies in [0, 1]. Rewards are Bernoulli, or Beta with the same mean.
#pragma once

#include "phe/problem.hpp"
#include "phe/registry.hpp"
#include "problems/reward_noise.hpp"

namespace phe {

struct LinearOptions {
  std::size_t dimension = 10;
  std::size_t arms = 100;
  RewardLaw rewards = RewardLaw::bernoulli;
  double concentration = 4.0;
};

class LinearProblem final : public Problem {
 public:
  static Result<LinearProblem> create(const LinearOptions& options);

  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override;
  [[nodiscard]] std::size_t dimension() const noexcept override { return options_.dimension; }
  [[nodiscard]] std::size_t arms() const noexcept override { return options_.arms; }

 private:
  explicit LinearProblem(const LinearOptions& options) : options_(options) {}

  LinearOptions options_;
};

ProblemEntry linear_entry();

}  // namespace phe
