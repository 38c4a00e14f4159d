// The argmax over more arms than the cache holds, screened in a copy a quarter the size.
//
// The copy holds 16-bit integers q with x_jk ~ s_j q_jk, where |q| <= Q. Given theta, integers w
// with theta_j s_j ~ S w_j make the screening sums
//
//   i_k = sum_j w_j q_jk,
//
// exact in 32 bits. With e_j = max_k |x_jk - s_j q_jk|, measured when the copy is made,
//
//   |x_k^T theta - S i_k| <= sum_j |theta_j| e_j + Q sum_j |theta_j s_j - S w_j|   for every arm,
//
// so an arm can be best only if its sum is within twice that bound of the largest sum. These few
// arms are the candidates; their scores in double decide, and the answer is that of a full pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "phe/arms.hpp"

namespace phe::kernels {

// Immutable; read from any thread.
class ScreenedArms {
 public:
  static constexpr std::size_t most_candidates = 256;
  static constexpr std::size_t most_features = 1024;
  static constexpr std::size_t block = 16;   // arms side by side in the copy
  static constexpr std::size_t streams = 4;  // parts of the copy, read in turns

  // Precondition: at most most_features features, all finite.
  explicit ScreenedArms(const FeatureView& x);

  // Writes, in ascending order, arms among which are all that reach the largest score; returns how
  // many. 0 when that cannot be said of a few: theta is zero or extreme, or too many arms are near.
  std::size_t candidates(std::span<const double> theta,
                         std::span<ArmId, most_candidates> found) const noexcept;

 private:
  std::size_t arms_;
  std::size_t pairs_;                     // of features: d / 2, rounded up
  double largest_;                        // Q
  std::vector<double> scale_;             // s_j
  std::vector<double> error_;             // e_j
  std::shared_ptr<std::int16_t[]> copy_;  // [block of 16 arms][pair of features][arm][2]
};

// What ScreenedArms::candidates asks of the kernel.
struct Screen {
  const std::int16_t* copy;     // padded to `blocks` blocks, on a cache line
  const std::int32_t* weights;  // of a pair of features, 16 bits each
  std::size_t pairs;
  std::size_t arms;
  std::int32_t margin;  // >= 0

  // A multiple of `streams`, so that all streams are equally long.
  [[nodiscard]] std::size_t blocks() const noexcept { return blocks_for(arms); }
  static std::size_t blocks_for(std::size_t arms) noexcept {
    constexpr std::size_t group = ScreenedArms::block * ScreenedArms::streams;
    return (arms + group - 1) / group * ScreenedArms::streams;
  }
};
// Writes the arms with i_k >= max_k i_k - margin, in ascending order; returns how many, or 0 when
// on the way too many were near the largest sum so far.
std::size_t screen_arms(const Screen& screen,
                        std::span<ArmId, ScreenedArms::most_candidates> found) noexcept;

namespace scalar {
std::size_t screen_arms(const Screen& screen,
                        std::span<ArmId, ScreenedArms::most_candidates> found) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
