#include "phe/pulled_rows.hpp"

#include "support/aligned.hpp"

namespace phe {

PulledRows::PulledRows(Arms arms)
    : arms_(std::move(arms)),
      values_(zeroed_array(arms_.view().stride * arms_.dimension())),
      view_{values_.get(), arms_.dimension(), 0, arms_.view().stride},
      row_of_arm_(arms_.size(), none) {}

std::uint32_t PulledRows::row_of(ArmId arm) noexcept {
  std::uint32_t& row = row_of_arm_[arm];
  if (row == none) {
    row = static_cast<std::uint32_t>(view_.arms++);
    for (std::size_t j = 0; j < view_.dimension; ++j)
      values_[j * view_.stride + row] = arms_.at(arm, j);
  }
  return row;
}

}  // namespace phe
