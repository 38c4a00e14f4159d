#include "kernels/screened_argmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/screened_argmax.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/lanes-inl.hpp"
#include "support/aligned.hpp"

#ifndef PHE_KERNELS_SCREEN_SURVIVORS
#define PHE_KERNELS_SCREEN_SURVIVORS
namespace phe::kernels {

// The arms near the largest sum so far.
class Survivors {
 public:
  Survivors(const Screen& screen, std::span<ArmId, ScreenedArms::most_candidates> arms)
      : arms_(arms), count_of_all_(screen.arms), margin_(screen.margin) {}

  [[nodiscard]] std::int32_t threshold() const noexcept { return threshold_; }

  // Adds those of a block's arms that reach the threshold. False when there is no room for more.
  bool add(std::size_t first_arm, const std::int32_t* sums) noexcept {
    for (std::size_t lane = 0; lane < ScreenedArms::block; ++lane) {
      if (sums[lane] < threshold_ || first_arm + lane >= count_of_all_) continue;
      arms_[count_] = static_cast<ArmId>(first_arm + lane);
      sums_[count_++] = sums[lane];
      threshold_ = std::max(threshold_, below(sums[lane]));
    }
    return has_room() || keep_near();
  }
  // How many remain in the end, in ascending order.
  std::size_t finish() noexcept {
    if (!keep_near()) return 0;
    std::sort(arms_.begin(), arms_.begin() + static_cast<std::ptrdiff_t>(count_));
    return count_;
  }

 private:
  [[nodiscard]] bool has_room() const noexcept {
    return count_ <= ScreenedArms::most_candidates - ScreenedArms::block;
  }
  // Drops those that the threshold has passed since. False when too many remain.
  bool keep_near() noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (sums_[i] < threshold_) continue;
      arms_[kept] = arms_[i];
      sums_[kept++] = sums_[i];
    }
    count_ = kept;
    return has_room();
  }
  // sum - margin, or the smallest integer.
  [[nodiscard]] std::int32_t below(std::int32_t sum) const noexcept {
    constexpr std::int64_t smallest = std::numeric_limits<std::int32_t>::min();
    return static_cast<std::int32_t>(std::max(smallest, std::int64_t{sum} - margin_));
  }

  std::span<ArmId, ScreenedArms::most_candidates> arms_;
  std::int32_t sums_[ScreenedArms::most_candidates];
  std::size_t count_of_all_;
  std::size_t count_ = 0;
  std::int32_t margin_;
  std::int32_t threshold_ = std::numeric_limits<std::int32_t>::min();
};

}  // namespace phe::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

using IntTag = hn::CappedTag<std::int32_t, 16>;
using Int = hn::Vec<IntTag>;
inline constexpr IntTag int_tag;
inline constexpr std::size_t int_width = hn::MaxLanes(IntTag{});
inline constexpr std::size_t block_vectors = ScreenedArms::block / int_width;

// sum + low * low' + high * high' of the 16-bit halves of each lane.
HWY_INLINE Int add_pair(Int sum, Int pair, Int weights) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  // One instruction, pmaddwd. Elsewhere it may put the sums of pairs into other lanes.
  const hn::Repartition<std::int16_t, IntTag> short_tag;
  Int unused = sum;
  return hn::ReorderWidenMulAccumulate(int_tag, hn::BitCast(short_tag, pair),
                                       hn::BitCast(short_tag, weights), sum, unused);
#else
  const auto low = [](Int v) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
  const Int lows = hn::Mul(low(pair), low(weights));
  const Int highs = hn::Mul(hn::ShiftRight<16>(pair), hn::ShiftRight<16>(weights));
  return hn::Add(sum, hn::Add(lows, highs));
#endif
}

// One stream of memory is read at 18 GB/s, four in turns at 30 (EPYC, Zen 3): so the copy is read
// from four places at once.
std::size_t screen_arms(const Screen& screen,
                        std::span<ArmId, ScreenedArms::most_candidates> found) {
  constexpr std::size_t streams = ScreenedArms::streams;
  Survivors survivors(screen, found);
  const std::size_t rows = screen.blocks() / streams;
  const std::size_t stream = rows * screen.pairs * ScreenedArms::block;
  const auto* pairs = reinterpret_cast<const std::int32_t*>(screen.copy);
  for (std::size_t row = 0; row < rows; ++row) {
    Int sum[streams][block_vectors];
    for (auto& block : sum)
      for (Int& part : block) part = hn::Zero(int_tag);
    for (std::size_t p = 0; p < screen.pairs; ++p, pairs += ScreenedArms::block) {
      const Int weights = hn::Set(int_tag, screen.weights[p]);
      for (std::size_t s = 0; s < streams; ++s)
        for (std::size_t v = 0; v < block_vectors; ++v)
          sum[s][v] =
              add_pair(sum[s][v], hn::Load(int_tag, pairs + s * stream + v * int_width), weights);
    }
    // Nearly always all of these arms lie below the threshold.
    Int largest = sum[0][0];
    for (const auto& block : sum)
      for (const Int& part : block) largest = hn::Max(largest, part);
    const Int threshold = hn::Set(int_tag, survivors.threshold());
    if (hn::AllTrue(int_tag, hn::Lt(largest, threshold))) continue;
    for (std::size_t s = 0; s < streams; ++s) {
      alignas(64) std::int32_t sums[ScreenedArms::block];
      for (std::size_t v = 0; v < block_vectors; ++v)
        hn::Store(sum[s][v], int_tag, sums + v * int_width);
      if (!survivors.add((s * rows + row) * ScreenedArms::block, sums)) return 0;
    }
  }
  return survivors.finish();
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(screen_arms);

std::size_t screen_arms(const Screen& screen,
                        std::span<ArmId, ScreenedArms::most_candidates> found) noexcept {
  return PHE_DISPATCH(screen_arms)(screen, found);
}

std::size_t scalar::screen_arms(const Screen& screen,
                                std::span<ArmId, ScreenedArms::most_candidates> found) noexcept {
  Survivors survivors(screen, found);
  const std::size_t rows = screen.blocks() / ScreenedArms::streams;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t s = 0; s < ScreenedArms::streams; ++s) {
      const std::size_t block = s * rows + row;
      const std::int16_t* values = screen.copy + block * screen.pairs * 2 * ScreenedArms::block;
      std::int32_t sums[ScreenedArms::block] = {};
      for (std::size_t p = 0; p < screen.pairs; ++p)
        for (std::int32_t& sum : sums) {
          sum += *values++ * static_cast<std::int16_t>(screen.weights[p] & 0xffff);
          sum += *values++ * (screen.weights[p] >> 16);
        }
      if (!survivors.add(block * ScreenedArms::block, sums)) return 0;
    }
  return survivors.finish();
}

// Q is also the largest weight: Q^2 d < 2^31 keeps every sum within 32 bits.
ScreenedArms::ScreenedArms(const FeatureView& x)
    : arms_(x.arms),
      pairs_((x.dimension + 1) / 2),
      largest_(
          std::min(32767.0, std::floor(std::sqrt(0x1p31 / static_cast<double>(2 * pairs_)) - 1))),
      scale_(x.dimension),
      error_(x.dimension),
      copy_(zeroed_array<std::int16_t>(Screen::blocks_for(x.arms) * block * 2 * pairs_)) {
  for (std::size_t j = 0; j < x.dimension; ++j) {
    const double* feature = x.feature(j);
    double size = 0.0;
    for (std::size_t k = 0; k < arms_; ++k) size = std::max(size, std::abs(feature[k]));
    // Features near the ends of the range of doubles are left as they are: all error.
    const double scale = size / largest_;
    const bool usable = scale > 1e-250 && scale < 1e250;
    scale_[j] = usable ? scale : 0.0;
    error_[j] = usable ? 0.0 : size;
    if (!usable) continue;
    std::int16_t* copy = copy_.get() + j / 2 * 2 * block + j % 2;
    for (std::size_t k = 0; k < arms_; ++k) {
      const double q = std::nearbyint(feature[k] / scale);
      copy[k / block * block * 2 * pairs_ + k % block * 2] = static_cast<std::int16_t>(q);
      error_[j] = std::max(error_[j], std::abs(feature[k] - scale * q));
    }
  }
}

std::size_t ScreenedArms::candidates(std::span<const double> theta,
                                     std::span<ArmId, most_candidates> found) const noexcept {
  double widest = 0.0;
  for (std::size_t j = 0; j < theta.size(); ++j)
    widest = std::max(widest, std::abs(theta[j]) * scale_[j]);
  const double unit = widest / largest_;  // S
  if (!(unit > 1e-250 && unit < 1e250)) return 0;
  std::int32_t weights[most_features / 2] = {};
  double bound = 0.0;
  double size = 0.0;  // at least |x_k^T theta|, without cancellation
  for (std::size_t j = 0; j < theta.size(); ++j) {
    const double exact = theta[j] * scale_[j];
    const double w = std::nearbyint(exact / unit);
    bound += std::abs(theta[j]) * error_[j] + largest_ * std::abs(exact - unit * w);
    size += std::abs(exact) * largest_;
    const auto bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(w)) & 0xffffU;
    weights[j / 2] |= static_cast<std::int32_t>(bits << (j % 2 * 16));
  }
  // Scores and this bound are themselves rounded, 2 d times at most.
  bound += size * static_cast<double>(4 * theta.size()) * 0x1p-52;
  const double margin = std::ceil(2.000001 * bound / unit) + 1.0;
  if (!(margin < 0x1p30)) return 0;
  return screen_arms({.copy = copy_.get(),
                      .weights = weights,
                      .pairs = pairs_,
                      .arms = arms_,
                      .margin = static_cast<std::int32_t>(margin)},
                     found);
}

}  // namespace phe::kernels
#endif  // HWY_ONCE
