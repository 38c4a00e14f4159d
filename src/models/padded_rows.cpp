#include "phe/padded_rows.hpp"

#include <utility>

namespace phe {

PaddedRows::PaddedRows(Arms arms)
    : arms_(std::move(arms)), stride_(padded(arms_.dimension())), row_of_arm_(arms_.size(), none) {
  values_.reserve(arms_.size() * stride_);
}

PaddedRows::PaddedRows(const PaddedRows& other)
    : arms_(other.arms_), stride_(other.stride_), row_of_arm_(other.row_of_arm_) {
  values_.reserve(arms_.size() * stride_);
  values_ = other.values_;  // keeps the room
}

PaddedRows& PaddedRows::operator=(PaddedRows other) noexcept {
  std::swap(arms_, other.arms_);
  std::swap(stride_, other.stride_);
  std::swap(values_, other.values_);
  std::swap(row_of_arm_, other.row_of_arm_);
  return *this;
}

std::uint32_t PaddedRows::append(ArmId arm) noexcept {
  const auto row = static_cast<std::uint32_t>(size());
  values_.resize(values_.size() + stride_);
  arms_.copy_row(arm, std::span(values_).last(stride_));
  row_of_arm_[arm] = row;
  return row;
}

}  // namespace phe
