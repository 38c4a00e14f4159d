// Arms: the K feature rows x_1 .. x_K that a policy chooses from.
//
// Immutable; copies share one buffer, so an Arms is passed by value freely and read from any
// thread. Stored feature-major (d x K) and padded with zero arms to a multiple of 8, so that SIMD
// lanes are arms and each arm's score is summed over features in the same order at every width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "phe/result.hpp"

namespace phe {

using ArmId = std::uint32_t;

// The next multiple of 8: kernels work on whole lines of doubles.
constexpr std::size_t padded(std::size_t entries) noexcept { return (entries + 7) / 8 * 8; }

// What the kernels see: x(j, k) = data[j * stride + k], 64-byte aligned, stride a multiple of 8 and
// at least padded_arms(), zero for k >= arms.
struct FeatureView {
  const double* data = nullptr;
  std::size_t dimension = 0;
  std::size_t arms = 0;
  std::size_t stride = 0;

  [[nodiscard]] const double* feature(std::size_t j) const noexcept { return data + j * stride; }
  // Kernels run over whole blocks of 8 arms.
  [[nodiscard]] std::size_t padded_arms() const noexcept { return padded(arms); }
};

class Arms {
 public:
  // All values must be finite, K >= 1 and d >= 1; an error names the row and column (from 1).
  static Result<Arms> from_rows(const std::vector<std::vector<double>>& rows);
  // One row a line, comma-separated; blank lines and lines that start with '#' are skipped, and so
  // is a first line in which no cell begins like a number (a header).
  static Result<Arms> from_csv(const std::filesystem::path& file);
  static Result<Arms> generate(
      std::size_t arms, std::size_t dimension,
      const std::function<double(std::size_t arm, std::size_t feature)>& value);

  // No arms, but a number of features d >= 1: actions come with each round (phe/actions.hpp).
  static Arms none(std::size_t dimension) { return {0, dimension}; }

  // The same arms with a constant last feature 1, the paper's bias term.
  [[nodiscard]] Result<Arms> with_bias() const;

  [[nodiscard]] std::size_t size() const noexcept { return view_.arms; }
  [[nodiscard]] bool empty() const noexcept { return view_.arms == 0; }
  [[nodiscard]] std::size_t dimension() const noexcept { return view_.dimension; }
  [[nodiscard]] FeatureView view() const noexcept { return view_; }
  [[nodiscard]] double at(ArmId arm, std::size_t feature) const noexcept {
    return view_.feature(feature)[arm];
  }
  // Writes x_arm to the first d entries of `row` and leaves the others.
  void copy_row(ArmId arm, std::span<double> row) const noexcept;

  // A largest set of linearly independent arms, in the order in which to pull them: K, K-1, ...,
  // K-d+1 (the paper's choice) when these are a basis, else arms found by pivoted QR.
  [[nodiscard]] std::vector<ArmId> independent_arms() const;
  // The same set when it spans R^d; otherwise an error that says which rank the features have.
  [[nodiscard]] Result<std::vector<ArmId>> basis() const;

 private:
  Arms(std::size_t arms, std::size_t dimension);

  std::shared_ptr<double[]> values_;
  FeatureView view_;
};

}  // namespace phe
