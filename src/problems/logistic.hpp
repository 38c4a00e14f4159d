// The paper's logistic bandit (Section 5.2).
//
// Rewards are Ber(sigma(x^T theta)). Drawn: the first d - 1 features of an arm are uniform on the
// unit sphere, the last is 1; theta's first d - 1 entries are uniform on the sphere of radius 1.5,
// the last is 0. From files: the same arms, and the same theta when one is given, in each instance.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "phe/problem.hpp"
#include "phe/registry.hpp"

namespace phe {

struct LogisticOptions {
  std::size_t dimension = 10;
  std::size_t arms = 100;
  double radius = 1.5;              // of theta's sphere
  bool contexts = false;            // all arms are drawn anew in each round
  std::optional<Arms> given_arms;   // their number and dimension replace the two above
  std::vector<double> given_theta;  // empty: drawn
};

class LogisticProblem final : public Problem {
 public:
  static Result<LogisticProblem> create(const LogisticOptions& options);

  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override;
  [[nodiscard]] std::size_t dimension() const noexcept override { return options_.dimension; }
  [[nodiscard]] std::size_t arms() const noexcept override { return options_.arms; }

 private:
  explicit LogisticProblem(LogisticOptions options) : options_(std::move(options)) {}

  LogisticOptions options_;
};

ProblemEntry logistic_entry();

}  // namespace phe
