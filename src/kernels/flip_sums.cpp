#include "kernels/flip_sums.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/flip_sums.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/xoshiro-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

constexpr std::size_t groups = flip_block / flip_group;
constexpr std::size_t entries = 1 << flip_group;
constexpr std::size_t table_size = entries * width;  // of one group in one register
constexpr std::size_t flip_words = flip_rounds / 2;
static_assert(flip_words % lanes == 0);

// A unit of features fills whole registers on every target. The features of a panel are handled
// together: up to 24, whose tables take 24 KB of the first-level cache.
constexpr std::size_t unit = std::max<std::size_t>(width, 4);
constexpr std::size_t unit_registers = unit / width;
constexpr std::size_t panel_units = 24 / unit;

// The rows of one block, from the first feature of a panel on; those beyond `count` are zeros.
struct FlipBlock {
  const double* x;
  std::size_t count;
  std::size_t stride;

  [[nodiscard]] HWY_INLINE const double* row(std::size_t l) const {
    alignas(64) static constexpr double zeros[panel_units * unit] = {};
    return l < count ? x + l * stride : zeros;
  }
};

// Entry s is the sum of the rows in s, in their order: that without the last of them, plus the
// last.
HWY_INLINE void build_table(const double* const* rows, std::size_t feature, double* table) {
  Real sum[entries];
  sum[0] = hn::Zero(real_tag);
  for (std::size_t i = 0; i < flip_group; ++i) {
    const std::size_t half = std::size_t{1} << i;
    const Real last = hn::Load(real_tag, rows[i] + feature);
    for (std::size_t s = 0; s < half; ++s) sum[half + s] = hn::Add(sum[s], last);
  }
  for (std::size_t s = 0; s < entries; ++s) hn::Store(sum[s], real_tag, table + s * width);
}

template <std::size_t registers>
HWY_INLINE void build_tables(const FlipBlock& block, double* tables) {
  for (std::size_t g = 0; g < groups; ++g) {
    const double* rows[flip_group];
    for (std::size_t i = 0; i < flip_group; ++i) rows[i] = block.row(g * flip_group + i);
    for (std::size_t v = 0; v < registers; ++v, tables += table_size)
      build_table(rows, v * width, tables);
  }
}

// One round of a block: `bits` are the flips of its 32 rows.
template <std::size_t registers>
HWY_INLINE void add_round(const double* tables, std::uint64_t bits, double* ahead) {
  Real sum[registers];
  for (std::size_t v = 0; v < registers; ++v) sum[v] = hn::Load(real_tag, ahead + v * width);
  for (std::size_t g = 0; g < groups; ++g) {
    const double* entry = tables + (bits >> (g * flip_group)) % entries * width;
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
HWY_NOINLINE void add_panel(const FlipBlock& block, std::uint64_t flips, Rng& rng, double* ahead) {
  constexpr std::size_t registers = units * unit_registers;
  alignas(64) double tables[groups * registers * table_size];
  alignas(64) std::uint64_t words[flip_words];
  build_tables<registers>(block, tables);
  for (std::uint64_t flip = 0; flip < flips; ++flip) {
    draw_words(rng, words);
    for (std::size_t w = 0; w < flip_words; ++w) {
      double* const sums = ahead + 2 * w * block.stride;
      add_round<registers>(tables, words[w], sums);
      add_round<registers>(tables, words[w] >> flip_block, sums + block.stride);
    }
  }
}

// add_panel<units>: the sums stay in registers only if their number is known when compiling.
template <std::size_t most = panel_units>
HWY_INLINE void add_units(std::size_t units, const FlipBlock& block, std::uint64_t flips, Rng& rng,
                          double* ahead) {
  if constexpr (most > 1)
    if (units < most) return add_units<most - 1>(units, block, flips, rng, ahead);
  add_panel<most>(block, flips, rng, ahead);
}

void add_flip_sums(const double* x, std::size_t count, std::size_t dimension, std::size_t stride,
                   std::uint64_t flips, Rng& rng, double* ahead) {
  const std::size_t units = (dimension + unit - 1) / unit;
  const std::size_t panels = (units + panel_units - 1) / panel_units;
  for (std::size_t l = 0; l < count; l += flip_block) {
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
    for (std::size_t g = 0; g < flip_block; g += flip_group) {
      double heads = 0.0;
      for (std::size_t l = g; l < std::min(g + flip_group, count); ++l)
        if ((bits >> l & 1) != 0) heads += x[l * stride + j];
      sums[j] += heads;
    }
}

}  // namespace

void scalar::add_flip_sums(const double* x, std::size_t count, std::size_t dimension,
                           std::size_t stride, std::uint64_t flips, Rng& rng,
                           double* ahead) noexcept {
  for (std::size_t l = 0; l < count; l += flip_block)
    for (std::uint64_t flip = 0; flip < flips; ++flip) {
      Rng::Step words;
      for (std::size_t r = 0; r < flip_rounds; ++r) {
        if (r % (2 * Rng::lanes) == 0) rng.step(words);
        const std::uint64_t bits = words[r / 2 % Rng::lanes] >> (r % 2 * flip_block);
        add_heads(x + l * stride, count - l, dimension, stride, bits, ahead + r * stride);
      }
    }
}

}  // namespace phe::kernels
#endif  // HWY_ONCE
