#include "phe/pulled_rows.hpp"

#include <algorithm>
#include <utility>

#include "support/aligned.hpp"

namespace phe {

PulledRows::PulledRows(std::size_t dimension, std::size_t capacity)
    : view_{nullptr, dimension, 0, padded(capacity)} {
  values_ = zeroed_array(view_.stride * dimension);
  view_.data = values_.get();
}

PulledRows::PulledRows(const PulledRows& other)
    : PulledRows(other.view_.dimension, other.view_.stride) {
  view_.arms = other.view_.arms;
  for (std::size_t j = 0; j < view_.dimension; ++j)
    std::copy_n(other.view_.feature(j), view_.arms, values_.get() + j * view_.stride);
}

PulledRows& PulledRows::operator=(PulledRows other) noexcept {
  std::swap(values_, other.values_);
  std::swap(view_, other.view_);
  return *this;
}

std::uint32_t PulledRows::append(const Arms& arms, ArmId arm) noexcept {
  const std::size_t row = view_.arms++;
  for (std::size_t j = 0; j < view_.dimension; ++j)
    values_.get()[j * view_.stride + row] = arms.at(arm, j);
  return static_cast<std::uint32_t>(row);
}

}  // namespace phe
