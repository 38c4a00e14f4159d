// Linear bandits: mean x^T theta, rewards on [0, 1].
//
// The paper's (Section 5.1), drawn anew for each instance: the first d - 1 features of an arm are
// uniform on the unit sphere, the last is 1; theta's first d - 1 entries are uniform on the sphere
// of radius 1/2, the last is 1/2. So every mean lies in [0, 1].
//
// Or a user's: arms and theta from files. Every instance then has these, and only the reward noise
// differs. A mean outside [0, 1] is refused, never clipped.
#pragma once

#include <filesystem>
#include <optional>

#include "phe/problem.hpp"
#include "phe/registry.hpp"
#include "problems/rewards.hpp"

namespace phe {

struct LinearOptions {
  std::size_t dimension = 10;
  std::size_t arms = 100;
  bool contexts = false;  // all arms are drawn anew in each round
  RewardOptions rewards = {};
};

class LinearProblem final : public Problem {
 public:
  static Result<LinearProblem> create(const LinearOptions& options);
  // The arms, one row of features each (Arms::from_csv), and theta, as one row or one column.
  static Result<LinearProblem> from_files(const std::filesystem::path& arms_file,
                                          const std::filesystem::path& theta_file,
                                          const RewardOptions& rewards);

  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override;
  [[nodiscard]] std::size_t dimension() const noexcept override { return options_.dimension; }
  [[nodiscard]] std::size_t arms() const noexcept override { return options_.arms; }

 private:
  struct Known {
    Arms arms;
    std::vector<double> means;
  };

  LinearProblem(const LinearOptions& options, std::optional<Known> known)
      : options_(options), known_(std::move(known)) {}

  LinearOptions options_;
  std::optional<Known> known_;  // from files; otherwise drawn
};

ProblemEntry linear_entry();

}  // namespace phe
