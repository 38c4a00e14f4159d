// What phe is measured against: code that a good programmer would write with a good library,
// compiled with -O3 -march=native.
//
// A shared library that shows only these functions: inline functions of Eigen compiled here for
// this machine must not replace those compiled for any machine in phe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "phe/policy.hpp"

#define PHE_COMPARATOR [[gnu::visibility("default")]]

namespace phe::bench {

// draws[i] ~ B(trials[i], 1/2), the distribution built anew for each draw as a user must.
struct BinomialComparator {
  std::string_view name;  // "std", "boost", "gsl"
  void (*draw)(std::span<const std::uint64_t> trials, std::span<double> draws);
};
PHE_COMPARATOR std::vector<BinomialComparator> binomial_comparators();

// Policies written plainly with Eigen, with the parameters the benchmarks use (a = 1).
struct PolicyComparator {
  std::string_view name;  // of the policy in phe: "linphe", "lints", ...
  std::unique_ptr<Policy> (*make)(const Arms& arms, std::uint64_t rounds);
};
PHE_COMPARATOR std::vector<PolicyComparator> linear_comparators();
PHE_COMPARATOR std::vector<PolicyComparator> logistic_comparators();

// The same in contexts: actions that come with each round, row by row.
class ContextPolicy {
 public:
  virtual ~ContextPolicy() = default;
  virtual std::size_t select(std::span<const double> features) = 0;
  virtual void update(std::span<const double> features, double reward) = 0;
};
struct ContextComparator {
  std::string_view name;
  std::unique_ptr<ContextPolicy> (*make)(std::size_t dimension, std::uint64_t rounds);
};
PHE_COMPARATOR std::vector<ContextComparator> context_comparators();

// Sums of 16 rounds at once, each sum_l x_l H_l with a fair flip H_l in {0, 1} of each row: a
// product of flips and rows, chunk by chunk. Feature j of all rows is column j of `x` (3% faster
// than row by row), feature j of the 16 sums column j of `sums`.
inline constexpr int eigen_flip_rounds = 16;
PHE_COMPARATOR void eigen_flip_sums(std::span<const double> x, std::size_t dimension,
                                    std::span<double> sums);

// Plain sums, with sums enough side by side to wait for nothing but memory. How fast memory is read
// depends on how many places are read at a time, and which number is best on the machine.
// In the order of the argmax: a page of arms and at most 10 features, each a stream, at a time.
PHE_COMPARATOR double read_features(const FeatureView& x);
// In four streams, each a quarter of the values.
PHE_COMPARATOR double read_in_four_streams(std::span<const double> values);

}  // namespace phe::bench
