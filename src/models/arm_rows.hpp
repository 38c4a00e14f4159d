// ArmRows: one feature row for each arm pulled so far, in order of its first pull.
#pragma once

#include <cstdint>
#include <vector>

#include "phe/arms.hpp"
#include "phe/pulled_rows.hpp"

namespace phe {

class ArmRows {
 public:
  explicit ArmRows(Arms arms)
      : arms_(std::move(arms)),
        rows_(arms_.dimension(), arms_.size()),
        row_of_arm_(arms_.size(), none) {}

  // The row of `arm`, appended when it has none yet.
  std::uint32_t row_of(ArmId arm) noexcept {
    std::uint32_t& row = row_of_arm_[arm];
    if (row == none) row = rows_.append(arms_, arm);
    return row;
  }
  [[nodiscard]] FeatureView view() const noexcept { return rows_.view(); }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Arms arms_;
  PulledRows rows_;
  std::vector<std::uint32_t> row_of_arm_;
};

}  // namespace phe
