// Rows of features that stand one behind the other, taken a few at a time so that lanes are rows,
// for the kernels of transpose.hpp and score_rows.hpp.

#if defined(PHE_KERNELS_ROW_GROUPS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef PHE_KERNELS_ROW_GROUPS_INL_HPP
#undef PHE_KERNELS_ROW_GROUPS_INL_HPP
#else
#define PHE_KERNELS_ROW_GROUPS_INL_HPP
#endif

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// A group of rows becomes a register of each feature: 4 rows, or 2 where registers are shorter.
using GroupTag = hn::CappedTag<double, 4>;
using Group = hn::Vec<GroupTag>;
inline constexpr GroupTag group_tag;
inline constexpr std::size_t group_rows = hn::MaxLanes(group_tag);

// Two features of the rows 0 and 2, or 1 and 3, of a group that begins at `row`; of one row where a
// group has two. Halves are put together as they are loaded, which costs no shuffle.
HWY_INLINE Group load_features(const double* row, std::size_t dimension) {
  const hn::FixedTag<double, 2> pair;
#if HWY_MAX_BYTES >= 32
  return hn::Combine(group_tag, hn::LoadU(pair, row + 2 * dimension), hn::LoadU(pair, row));
#else
  static_cast<void>(dimension);
  return hn::LoadU(pair, row);
#endif
}

// Features 0 and 1 of a group, by row.
struct TwoFeatures {
  HWY_INLINE TwoFeatures(const double* rows, std::size_t dimension)
      : even(load_features(rows, dimension)), odd(load_features(rows + dimension, dimension)) {}

  HWY_INLINE Group first() const { return hn::InterleaveLower(group_tag, even, odd); }
  HWY_INLINE Group second() const { return hn::InterleaveUpper(group_tag, even, odd); }

  Group even;  // rows
  Group odd;
};

#endif

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
