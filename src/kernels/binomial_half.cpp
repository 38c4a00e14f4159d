#include "kernels/binomial_half.hpp"

#include <bit>

#include "kernels/binomial_large.hpp"
#include "kernels/binomial_tables.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/binomial_half.cpp"
#include "hwy/foreach_target.h"

#include "kernels/xoshiro-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// The values that 32 random bits a lane choose from the table of each lane's digit; 0, and a mark
// in `escaped`, where the outcome is the escape.
template <unsigned cell_bits>
HWY_INLINE Word look_up(Word digit, Word bits, BinomialPlace place, const std::uint32_t* cells,
                        hn::Mask<WordTag>& escaped) {
  const hn::RebindToSigned<WordTag> signed_tag;
  constexpr unsigned shift = 32 - cell_bits;
  const Word low_bits = hn::Set(word_tag, place.low_bits());
  const Word index = hn::ShiftRight<shift>(bits);
  const Word byte = hn::ShiftLeft<2>(hn::Add(hn::ShiftLeft<cell_bits>(digit), index));
  // 64 bits are read where 32 are meant: one gather for all lanes.
  const Word wide_cell = hn::GatherOffset(word_tag, reinterpret_cast<const std::uint64_t*>(cells),
                                          hn::BitCast(signed_tag, byte));
  const Word cell = hn::And(wide_cell, hn::Set(word_tag, 0xffffffff));
  const auto own = hn::Lt(hn::BitCast(signed_tag, hn::And(bits, low_bits)),
                          hn::BitCast(signed_tag, hn::And(cell, low_bits)));
  const Word chosen =
      hn::IfThenElse(hn::RebindMask(word_tag, own), index, hn::ShiftRight<shift>(cell));
  escaped = hn::Eq(chosen, hn::Zero(word_tag));
  // n / 2 + chosen - centre, where n / 2 = digit * unit / 2 and unit = 4^(cell_bits - 5).
  const Word half = hn::ShiftLeft<2 * (cell_bits - 5) - 1>(digit);
  const Word value = hn::Sub(hn::Add(half, chosen), hn::Set(word_tag, place.centre()));
  return hn::IfThenZeroElse(escaped, value);
}

// Lanes that the tables cannot finish: escapes, and trials from 2^14 on. Rare, and scalar.
HWY_NOINLINE void finish_block(const std::uint64_t* trials, std::uint64_t* sums,
                               const std::uint64_t* escaped_fine,
                               const std::uint64_t* escaped_coarse, Rng& rng) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t m = trials[lane];
    if (m >= BinomialTables::limit) {
      sums[lane] = binomial_large(m, rng);
      continue;
    }
    if (escaped_fine[lane] != 0) sums[lane] += draw_residue(m / 64 % 16 * 64, rng);
    if (escaped_coarse[lane] != 0) sums[lane] += draw_residue(m / 1024 * 1024, rng);
  }
}

HWY_INLINE hn::Mask<WordTag> no_lane() { return hn::Ne(hn::Zero(word_tag), hn::Zero(word_tag)); }

void binomial_half(const std::uint64_t* trials, std::size_t count, Rng& rng, double* sums,
                   const BinomialTables& tables) {
  Xoshiro generator(rng.state());
  const Word one = hn::Set(word_tag, 1);
  const Word sixty_three = hn::Set(word_tag, 63);
  const Word fifteen = hn::Set(word_tag, 15);
  for (std::size_t i = 0; i < count; i += lanes) {
    Word m[vectors];
    Word words[vectors];
    Word sum[vectors];
    Word largest = hn::Zero(word_tag);
    for (std::size_t v = 0; v < vectors; ++v) {
      m[v] = hn::LoadU(word_tag, trials + i + v * width);
      largest = hn::Or(largest, m[v]);
    }
    generator.next(words);
    for (std::size_t v = 0; v < vectors; ++v) {
      const Word mask = hn::Sub(hn::Shl(one, hn::And(m[v], sixty_three)), one);
      sum[v] = hn::PopulationCount(hn::And(words[v], mask));
    }
    if (!hn::AllFalse(word_tag, hn::Ne(hn::ShiftRight<6>(largest), hn::Zero(word_tag)))) {
      generator.next(words);
      auto escaped_any = no_lane();
      hn::Mask<WordTag> escaped[2][vectors];
      auto large_any = no_lane();
      for (std::size_t v = 0; v < vectors; ++v) {
        const Word fine = hn::And(hn::ShiftRight<6>(m[v]), fifteen);
        const Word coarse = hn::And(hn::ShiftRight<10>(m[v]), fifteen);
        const Word low = hn::And(words[v], hn::Set(word_tag, 0xffffffff));
        const Word high = hn::ShiftRight<32>(words[v]);
        sum[v] = hn::Add(sum[v], look_up<BinomialTables::fine.cell_bits>(
                                     fine, low, BinomialTables::fine,
                                     tables.cells(BinomialTables::fine), escaped[0][v]));
        sum[v] = hn::Add(sum[v], look_up<BinomialTables::coarse.cell_bits>(
                                     coarse, high, BinomialTables::coarse,
                                     tables.cells(BinomialTables::coarse), escaped[1][v]));
        escaped_any = hn::Or(escaped_any, hn::Or(escaped[0][v], escaped[1][v]));
        large_any = hn::Or(large_any, hn::Ne(hn::ShiftRight<14>(m[v]), hn::Zero(word_tag)));
      }
      if (!hn::AllFalse(word_tag, hn::Or(escaped_any, large_any))) {
        std::uint64_t lane_sum[lanes];
        std::uint64_t lane_escaped[2][lanes];
        for (std::size_t v = 0; v < vectors; ++v) {
          hn::StoreU(sum[v], word_tag, lane_sum + v * width);
          for (int place : {0, 1})
            hn::StoreU(hn::IfThenElseZero(escaped[place][v], one), word_tag,
                       lane_escaped[place] + v * width);
        }
        generator.store(rng.state());
        finish_block(trials + i, lane_sum, lane_escaped[0], lane_escaped[1], rng);
        generator.load(rng.state());
        for (std::size_t v = 0; v < vectors; ++v)
          sum[v] = hn::LoadU(word_tag, lane_sum + v * width);
      }
    }
    // An integer below 2^52 becomes a double by its bits: 2^52 + sum, minus 2^52.
    const Real magic = hn::Set(real_tag, 0x1p52);
    for (std::size_t v = 0; v < vectors; ++v) {
      const Real shifted = hn::BitCast(real_tag, hn::Or(sum[v], hn::BitCast(word_tag, magic)));
      hn::StoreU(hn::Sub(shifted, magic), real_tag, sums + i + v * width);
    }
  }
  generator.store(rng.state());
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(binomial_half);

void binomial_half(std::span<const std::uint64_t> trials, Rng& rng,
                   std::span<double> sums) noexcept {
  HWY_DYNAMIC_DISPATCH(binomial_half)
  (trials.data(), trials.size(), rng, sums.data(), BinomialTables::instance());
}

namespace scalar {

void binomial_half(std::span<const std::uint64_t> trials, Rng& rng,
                   std::span<double> sums) noexcept {
  const BinomialTables& tables = BinomialTables::instance();
  for (std::size_t i = 0; i < trials.size(); i += Rng::lanes) {
    Rng::Step flips;
    Rng::Step digits{};
    std::uint64_t largest = 0;
    rng.step(flips);
    for (std::size_t lane = 0; lane < Rng::lanes; ++lane) largest |= trials[i + lane];
    if (largest >= 64) rng.step(digits);
    for (std::size_t lane = 0; lane < Rng::lanes; ++lane) {
      const std::uint64_t m = trials[i + lane];
      auto sum = static_cast<std::uint64_t>(
          std::popcount(flips[lane] & ((std::uint64_t{1} << m % 64) - 1)));
      if (m >= BinomialTables::limit) {
        sum = binomial_large(m, rng);
      } else if (m >= 64) {
        sum += tables.draw(BinomialTables::fine, m / 64 % 16, digits[lane] & 0xffffffff, rng);
        sum += tables.draw(BinomialTables::coarse, m / 1024, digits[lane] >> 32, rng);
      }
      sums[i + lane] = static_cast<double>(sum);
    }
  }
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
