// PulledRows: the feature rows that the history holds, and no others.
//
// Models and pseudo-rewards run over these rows, so their cost follows the number of arms pulled so
// far: 30 of 100 in the paper's problems at d = 5, 75 at d = 20. Rows are appended at an arm's
// first pull, feature-major and padded like Arms.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "phe/arms.hpp"

namespace phe {

class PulledRows {
 public:
  explicit PulledRows(Arms arms);

  // The row of `arm`, appended when it has none yet.
  std::uint32_t row_of(ArmId arm) noexcept;
  // view().arms is the number of rows so far.
  [[nodiscard]] FeatureView view() const noexcept { return view_; }
  [[nodiscard]] const Arms& arms() const noexcept { return arms_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Arms arms_;
  std::shared_ptr<double[]> values_;
  FeatureView view_;
  std::vector<std::uint32_t> row_of_arm_;
};

}  // namespace phe
