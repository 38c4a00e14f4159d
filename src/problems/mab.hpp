// A multi-armed bandit: K independent arms, for the policies that use no features (phe, giro) and
// to see what features are worth to the others. Each instance draws its means uniformly from [low,
// high]; the features of arm i are the i-th unit vector, so a linear model has one parameter an
// arm.
#pragma once

#include "phe/problem.hpp"
#include "phe/registry.hpp"
#include "problems/rewards.hpp"

namespace phe {

struct MabOptions {
  std::size_t arms = 10;
  double low = 0.25;
  double high = 0.75;
  RewardOptions rewards;
};

class MabProblem final : public Problem {
 public:
  static Result<MabProblem> create(const MabOptions& options);

  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override;
  [[nodiscard]] std::size_t dimension() const noexcept override { return options_.arms; }
  [[nodiscard]] std::size_t arms() const noexcept override { return options_.arms; }

 private:
  explicit MabProblem(const MabOptions& options) : options_(options) {}

  MabOptions options_;
};

ProblemEntry mab_entry();

}  // namespace phe
