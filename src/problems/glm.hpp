// Generalised linear bandits: the paper's logistic one (Section 5.2), and one of Poisson counts.
//
//   logistic   rewards are Ber(sigma(x^T theta))
//   poisson    rewards are min(N, M) with N ~ Poisson(exp(x^T theta))
//
// Drawn: the first d - 1 features of an arm are uniform on the unit sphere, the last is 1; theta's
// first d - 1 entries are uniform on the sphere of radius 1.5, the last is 0. From files: the same
// arms, and the same theta when one is given, in each instance.
//
// Policies that perturb their history must know a range [0, M] of the rewards, and a Poisson count
// has none. So counts are cut at M, the range of the instance. M is the smallest number that lowers
// no mean by more than 0.1 %: the larger it is, the louder are pseudo-rewards that are 0 or M.
// Regret is in the means exp(x^T theta), before the cut, which changes no order of arms.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "phe/problem.hpp"
#include "phe/registry.hpp"
#include "problems/sphere_contexts.hpp"

namespace phe {

struct GlmProblemOptions {
  SphereMean mean = SphereMean::logistic;  // or poisson
  std::size_t dimension = 10;
  std::size_t arms = 100;
  double radius = 1.5;                    // of theta's sphere
  bool contexts = false;                  // all arms are drawn anew in each round
  std::optional<Arms> given_arms = {};    // their number and dimension replace the two above
  std::vector<double> given_theta = {};   // empty: drawn
  std::optional<std::uint64_t> cap = {};  // M of Poisson counts; not given: as above
};

class GlmProblem final : public Problem {
 public:
  static Result<GlmProblem> create(const GlmProblemOptions& options);

  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override;
  [[nodiscard]] std::size_t dimension() const noexcept override { return options_.dimension; }
  [[nodiscard]] std::size_t arms() const noexcept override { return options_.arms; }

 private:
  GlmProblem(GlmProblemOptions options, RewardLaw law, double largest_count)
      : options_(std::move(options)), law_(law), largest_count_(largest_count) {}

  GlmProblemOptions options_;
  RewardLaw law_;
  double largest_count_;
};

// The smallest M for which E min(N, M) is at least (1 - share) mean, N ~ Poisson(mean).
std::uint64_t smallest_cap(double mean, double share);

ProblemEntry logistic_entry();
ProblemEntry poisson_entry();

}  // namespace phe
