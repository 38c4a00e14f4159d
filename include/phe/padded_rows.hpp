// PaddedRows: the features of each arm pulled so far, row by row, in order of their first pulls.
//
// A row is padded with zeros to a multiple of 8 entries, so that kernels take it as it is. Read in
// place of a column of Arms, which is strided, it made a LinPHE round 7% faster at d = 5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "phe/aligned_vector.hpp"
#include "phe/arms.hpp"

namespace phe {

class PaddedRows {
 public:
  // Room for all arms. Memory is touched only as rows come in.
  explicit PaddedRows(Arms arms);
  // A copy has room for all arms too.
  PaddedRows(const PaddedRows& other);
  PaddedRows(PaddedRows&&) noexcept = default;
  PaddedRows& operator=(PaddedRows other) noexcept;
  ~PaddedRows() = default;

  // The number of the row of `arm`, appended when it has none yet.
  std::uint32_t row_of(ArmId arm) noexcept {
    return row_of_arm_[arm] != none ? row_of_arm_[arm] : append(arm);
  }
  // Precondition: the arm has a row. Valid as long as the rows are.
  [[nodiscard]] std::span<const double> features(ArmId arm) const noexcept {
    return std::span(values_).subspan(row_of_arm_[arm] * stride_, stride_);
  }
  [[nodiscard]] const double* data() const noexcept { return values_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size() / stride_; }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t append(ArmId arm) noexcept;

  Arms arms_;
  std::size_t stride_;  // entries of a row
  AlignedVector values_;
  std::vector<std::uint32_t> row_of_arm_;
};

}  // namespace phe
