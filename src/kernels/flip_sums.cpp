#include "kernels/flip_sums.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/flip_sums.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/xoshiro-inl.hpp"

#ifndef PHE_KERNELS_FLIP_SUMS_ONCE
#define PHE_KERNELS_FLIP_SUMS_ONCE
namespace phe::kernels {

inline constexpr std::size_t group_rows = 4;
inline constexpr std::size_t entries = 1 << group_rows;
inline constexpr std::size_t groups = 8;
inline constexpr std::size_t block_rows = groups * group_rows;
inline constexpr std::size_t flip_words = flip_rounds / 2;
static_assert(flip_words % Rng::lanes == 0);

}  // namespace phe::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// Features are handled in units that fill whole registers on every target, and as many units at a
// time as have tables that fit into the first-level cache beside the sums: 24 features, 24 KB.
inline constexpr std::size_t unit = std::max<std::size_t>(width, 4);
inline constexpr std::size_t unit_registers = unit / width;
inline constexpr std::size_t panel_units = 24 / unit;
inline constexpr std::size_t table_size = entries * width;  // of one group in one register

// The rows of one block, from the first feature of a panel on; those beyond `count` are zeros.
struct Block {
  const double* x;
  std::size_t count;
  std::size_t stride;

  [[nodiscard]] HWY_INLINE const double* row(std::size_t l) const {
    alignas(64) static constexpr double zeros[panel_units * unit] = {};
    return l < count ? x + l * stride : zeros;
  }
};

// Entry s of a table is the sum of the rows in s, in their order: the sum without the last, plus
// it.
template <std::size_t registers>
HWY_INLINE void build_tables(const Block& block, double* tables) {
  for (std::size_t g = 0; g < groups; ++g) {
    const double* row[group_rows];
    for (std::size_t i = 0; i < group_rows; ++i) row[i] = block.row(g * group_rows + i);
    for (std::size_t v = 0; v < registers; ++v, tables += table_size) {
      Real sum[entries];
      sum[0] = hn::Zero(real_tag);
      for (std::size_t i = 0; i < group_rows; ++i) {
        const Real last = hn::Load(real_tag, row[i] + v * width);
        for (std::size_t s = 0; s < std::size_t{1} << i; ++s)
          sum[(std::size_t{1} << i) + s] = hn::Add(sum[s], last);
      }
      for (std::size_t s = 0; s < entries; ++s) hn::Store(sum[s], real_tag, tables + s * width);
    }
  }
}

// One round of a block: `bits` are the flips of its 32 rows.
template <std::size_t registers>
HWY_INLINE void add_round(const double* tables, std::uint64_t bits, double* ahead) {
  Real sum[registers];
  for (std::size_t v = 0; v < registers; ++v) sum[v] = hn::Load(real_tag, ahead + v * width);
  for (std::size_t g = 0; g < groups; ++g) {
    const double* entry = tables + (bits >> (g * group_rows)) % entries * width;
    for (std::size_t v = 0; v < registers; ++v)
      sum[v] = hn::Add(sum[v], hn::Load(real_tag, entry + (g * registers + v) * table_size));
  }
  for (std::size_t v = 0; v < registers; ++v) hn::Store(sum[v], real_tag, ahead + v * width);
}

HWY_INLINE void draw_words(Rng& rng, std::uint64_t* words) {
  Xoshiro generator(rng.state());
  for (std::size_t w = 0; w < flip_words; w += lanes) {
    Word step[vectors];
    generator.next(step);
    for (std::size_t v = 0; v < vectors; ++v) hn::Store(step[v], word_tag, words + w + v * width);
  }
  generator.store(rng.state());
}

// All flips of a block, in the `units` units of features of one panel.
template <std::size_t units>
HWY_NOINLINE void add_panel(const Block& block, std::uint64_t flips, Rng& rng, double* ahead) {
  constexpr std::size_t registers = units * unit_registers;
  alignas(64) double tables[groups * registers * table_size];
  alignas(64) std::uint64_t words[flip_words];
  build_tables<registers>(block, tables);
  for (std::uint64_t flip = 0; flip < flips; ++flip) {
    draw_words(rng, words);
    for (std::size_t w = 0; w < flip_words; ++w) {
      double* const sums = ahead + 2 * w * block.stride;
      add_round<registers>(tables, words[w], sums);
      add_round<registers>(tables, words[w] >> block_rows, sums + block.stride);
    }
  }
}

template <std::size_t most = panel_units>
HWY_INLINE void add_units(std::size_t units, const Block& block, std::uint64_t flips, Rng& rng,
                          double* ahead) {
  if constexpr (most > 1)
    if (units < most) return add_units<most - 1>(units, block, flips, rng, ahead);
  add_panel<most>(block, flips, rng, ahead);
}

void add_flip_sums(const double* x, std::size_t count, std::size_t dimension, std::size_t stride,
                   std::uint64_t flips, Rng& rng, double* ahead) {
  const std::size_t units = (dimension + unit - 1) / unit;
  const std::size_t panels = (units + panel_units - 1) / panel_units;
  for (std::size_t l = 0; l < count; l += block_rows) {
    const Rng::State start = rng.state();
    for (std::size_t p = 0; p < panels; ++p) {
      const std::size_t first = p * units / panels;
      const std::size_t own = (p + 1) * units / panels - first;
      rng.state() = start;  // every panel sees the same flips
      add_units(own, {x + l * stride + first * unit, count - l, stride}, flips, rng,
                ahead + first * unit);
    }
  }
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(add_flip_sums);

void add_flip_sums(const double* x, std::size_t count, std::size_t dimension, std::size_t stride,
                   std::uint64_t flips, Rng& rng, double* ahead) noexcept {
  PHE_DISPATCH(add_flip_sums)(x, count, dimension, stride, flips, rng, ahead);
}

namespace {

// One round of the block that begins at row x: adds its heads, group by group.
void add_heads(const double* x, std::size_t count, std::size_t dimension, std::size_t stride,
               std::uint64_t bits, double* sums) {
  for (std::size_t j = 0; j < dimension; ++j)
    for (std::size_t g = 0; g < block_rows; g += group_rows) {
      double heads = 0.0;
      for (std::size_t l = g; l < std::min(g + group_rows, count); ++l)
        if ((bits >> l & 1) != 0) heads += x[l * stride + j];
      sums[j] += heads;
    }
}

}  // namespace

void scalar::add_flip_sums(const double* x, std::size_t count, std::size_t dimension,
                           std::size_t stride, std::uint64_t flips, Rng& rng,
                           double* ahead) noexcept {
  for (std::size_t l = 0; l < count; l += block_rows)
    for (std::uint64_t flip = 0; flip < flips; ++flip) {
      Rng::Step words;
      for (std::size_t r = 0; r < flip_rounds; ++r) {
        if (r % (2 * Rng::lanes) == 0) rng.step(words);
        const std::uint64_t bits = words[r / 2 % Rng::lanes] >> (r % 2 * block_rows);
        add_heads(x + l * stride, count - l, dimension, stride, bits, ahead + r * stride);
      }
    }
}

}  // namespace phe::kernels
#endif  // HWY_ONCE
