// PulledRows: feature rows that the history holds, appended as arms are pulled.
//
// What runs over these rows and not over all arms costs a third at d = 5, where 30 of the paper's
// 100 arms are ever pulled. Feature-major and padded, like Arms.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "phe/arms.hpp"

namespace phe {

class PulledRows {
 public:
  // Room for `capacity` rows. Memory is touched only as rows come in.
  PulledRows(std::size_t dimension, std::size_t capacity);
  // A copy has memory of its own.
  PulledRows(const PulledRows& other);
  PulledRows(PulledRows&&) noexcept = default;
  PulledRows& operator=(PulledRows other) noexcept;
  ~PulledRows() = default;

  // Appends the features of `arm`; returns its row. Precondition: there is room.
  std::uint32_t append(const Arms& arms, ArmId arm) noexcept;

  // view().arms is the number of rows so far.
  [[nodiscard]] FeatureView view() const noexcept { return view_; }
  [[nodiscard]] std::size_t size() const noexcept { return view_.arms; }

 private:
  std::shared_ptr<double[]> values_;
  FeatureView view_;
};

}  // namespace phe
