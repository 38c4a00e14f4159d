#include "kernels/binomial_half.hpp"

#include <algorithm>
#include <bit>

#include "kernels/binomial_large.hpp"
#include "kernels/binomial_tables.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/binomial_half.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/xoshiro-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

using Lanes = hn::Mask<WordTag>;

HWY_INLINE Lanes no_lane() { return hn::Ne(hn::Zero(word_tag), hn::Zero(word_tag)); }
HWY_INLINE bool any(Lanes lanes_set) { return !hn::AllFalse(word_tag, lanes_set); }
HWY_INLINE bool any_bit(Word words) { return any(hn::Ne(words, hn::Zero(word_tag))); }

// The values that 32 random bits a lane choose from the table of each lane's digit; 0, and a mark
// in `escaped`, where the outcome is the escape.
template <unsigned cell_bits>
HWY_INLINE Word look_up(Word digit, Word bits, BinomialPlace place, const std::uint32_t* cells,
                        Lanes& escaped) {
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

class Sampler {
 public:
  HWY_INLINE Sampler(Rng& rng, const BinomialTables& tables)
      : rng_(rng),
        generator_(rng.state()),
        fine_(tables.cells(BinomialTables::fine)),
        coarse_(tables.cells(BinomialTables::coarse)) {}
  HWY_INLINE void finish() { generator_.store(rng_.state()); }

  // One block of 8 lanes: draws ~ B(m, 1/2).
  HWY_INLINE void draw(const Word* m, double* draws) {
    Word words[vectors];
    Word sum[vectors];
    Word bits_of_any = hn::Zero(word_tag);
    generator_.next(words);
    for (std::size_t v = 0; v < vectors; ++v) {
      bits_of_any = hn::Or(bits_of_any, m[v]);
      const Word one = hn::Set(word_tag, 1);
      const Word mask = hn::Sub(hn::Shl(one, hn::And(m[v], hn::Set(word_tag, 63))), one);
      sum[v] = hn::PopulationCount(hn::And(words[v], mask));
    }
    if (any_bit(hn::ShiftRight<6>(bits_of_any))) add_digits(m, bits_of_any, sum);
    for (std::size_t v = 0; v < vectors; ++v) store(sum[v], draws + v * width);
  }

  // 16 draws of B(m, 1/2) for one m < 32, from half a word each: lane by lane the low halves give
  // the first 8, the high halves the last 8.
  HWY_INLINE void draw_short(std::uint64_t m, double* draws) {
    Word words[vectors];
    generator_.next(words);
    const Word mask = hn::Set(word_tag, (std::uint64_t{1} << m) - 1);
    for (std::size_t v = 0; v < vectors; ++v) {
      const Word low = hn::And(words[v], mask);
      const Word high = hn::And(hn::ShiftRight<32>(words[v]), mask);
      store(hn::PopulationCount(low), draws + v * width);
      store(hn::PopulationCount(high), draws + lanes + v * width);
    }
  }

 private:
  // An integer below 2^52 becomes a double by its bits: 2^52 + sum, minus 2^52.
  static HWY_INLINE void store(Word sum, double* draws) {
    const Real magic = hn::Set(real_tag, 0x1p52);
    const Real shifted = hn::BitCast(real_tag, hn::Or(sum, hn::BitCast(word_tag, magic)));
    hn::StoreU(hn::Sub(shifted, magic), real_tag, draws);
  }

  HWY_INLINE void add_digits(const Word* m, Word bits_of_any, Word* sum) {
    Word words[vectors];
    Lanes escaped[2][vectors];
    Lanes unfinished = hn::Ne(hn::ShiftRight<14>(bits_of_any), hn::Zero(word_tag));
    const bool some_fine = any_bit(hn::And(bits_of_any, hn::Set(word_tag, 15 * 64)));
    const bool some_coarse = any_bit(hn::And(bits_of_any, hn::Set(word_tag, 15 * 1024)));
    generator_.next(words);
    const Word fifteen = hn::Set(word_tag, 15);
    for (std::size_t v = 0; v < vectors; ++v) {
      escaped[0][v] = escaped[1][v] = no_lane();
      if (some_fine) {
        const Word digit = hn::And(hn::ShiftRight<6>(m[v]), fifteen);
        const Word bits = hn::And(words[v], hn::Set(word_tag, 0xffffffff));
        sum[v] = hn::Add(sum[v], look_up<BinomialTables::fine.cell_bits>(
                                     digit, bits, BinomialTables::fine, fine_, escaped[0][v]));
      }
      if (some_coarse) {
        const Word digit = hn::And(hn::ShiftRight<10>(m[v]), fifteen);
        const Word bits = hn::ShiftRight<32>(words[v]);
        sum[v] = hn::Add(sum[v], look_up<BinomialTables::coarse.cell_bits>(
                                     digit, bits, BinomialTables::coarse, coarse_, escaped[1][v]));
      }
      unfinished = hn::Or(unfinished, hn::Or(escaped[0][v], escaped[1][v]));
    }
    if (any(unfinished)) finish_lanes(m, escaped, sum);
  }

  // What the tables cannot do, scalar: escapes, and trials from 2^14 on.
  HWY_NOINLINE void finish_lanes(const Word* m, const Lanes (&escaped)[2][vectors], Word* sum) {
    std::uint64_t trials[lanes];
    std::uint64_t sums[lanes];
    std::uint64_t marks[2][lanes];
    for (std::size_t v = 0; v < vectors; ++v) {
      hn::StoreU(m[v], word_tag, trials + v * width);
      hn::StoreU(sum[v], word_tag, sums + v * width);
      for (const int place : {0, 1})
        hn::StoreU(hn::VecFromMask(word_tag, escaped[place][v]), word_tag,
                   marks[place] + v * width);
    }
    generator_.store(rng_.state());
    LargeBinomial large(BinomialTables::limit);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t n = trials[lane];
      if (n >= BinomialTables::limit) {
        if (n != large.trials()) large = LargeBinomial(n);
        sums[lane] = large.draw(rng_);
        continue;
      }
      if (marks[0][lane] != 0) sums[lane] += draw_residue(n / 64 % 16 * 64, rng_);
      if (marks[1][lane] != 0) sums[lane] += draw_residue(n / 1024 * 1024, rng_);
    }
    generator_.load(rng_.state());
    for (std::size_t v = 0; v < vectors; ++v) sum[v] = hn::LoadU(word_tag, sums + v * width);
  }

  Rng& rng_;
  Xoshiro generator_;
  const std::uint32_t* fine_;
  const std::uint32_t* coarse_;
};

void binomial_half(const std::uint64_t* trials, std::size_t count, Rng& rng, double* draws,
                   const BinomialTables& tables) {
  Sampler sampler(rng, tables);
  for (std::size_t i = 0; i < count; i += lanes) {
    Word m[vectors];
    for (std::size_t v = 0; v < vectors; ++v) m[v] = hn::LoadU(word_tag, trials + i + v * width);
    sampler.draw(m, draws + i);
  }
  sampler.finish();
}

void binomial_half_rows(const std::uint64_t* trials, std::size_t rows, Rng& rng, double* draws,
                        const BinomialTables& tables) {
  Sampler sampler(rng, tables);
  for (std::size_t i = 0; i < rows; ++i) {
    if (trials[i] < 32) {
      sampler.draw_short(trials[i], draws + i * repetitions);
      continue;
    }
    Word m[vectors];
    for (Word& part : m) part = hn::Set(word_tag, trials[i]);
    for (std::size_t r = 0; r < repetitions; r += lanes)
      sampler.draw(m, draws + i * repetitions + r);
  }
  sampler.finish();
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(binomial_half);
HWY_EXPORT(binomial_half_rows);

void binomial_half(std::span<const std::uint64_t> trials, Rng& rng,
                   std::span<double> draws) noexcept {
  PHE_DISPATCH(binomial_half)
  (trials.data(), trials.size(), rng, draws.data(), BinomialTables::instance());
}

void binomial_half_rows(std::span<const std::uint64_t> trials, Rng& rng,
                        std::span<double> draws) noexcept {
  PHE_DISPATCH(binomial_half_rows)
  (trials.data(), trials.size(), rng, draws.data(), BinomialTables::instance());
}

namespace scalar {

namespace {

using Block = std::array<std::uint64_t, Rng::lanes>;

void draw_block(const Block& trials, Rng& rng, double* draws) noexcept {
  const BinomialTables& tables = BinomialTables::instance();
  Rng::Step flips;
  Rng::Step digits{};
  rng.step(flips);
  if (std::ranges::any_of(trials, [](std::uint64_t m) { return m >= 64; })) rng.step(digits);
  for (std::size_t lane = 0; lane < Rng::lanes; ++lane) {
    const std::uint64_t m = trials[lane];
    const std::uint64_t mask = (std::uint64_t{1} << m % 64) - 1;
    auto sum = static_cast<std::uint64_t>(std::popcount(flips[lane] & mask));
    if (m >= BinomialTables::limit) {
      sum = LargeBinomial(m).draw(rng);
    } else {
      sum += tables.draw(BinomialTables::fine, m / 64 % 16, digits[lane] & 0xffffffff, rng);
      sum += tables.draw(BinomialTables::coarse, m / 1024, digits[lane] >> 32, rng);
    }
    draws[lane] = static_cast<double>(sum);
  }
}

void draw_short(std::uint64_t trials, Rng& rng, double* draws) noexcept {
  Rng::Step flips;
  rng.step(flips);
  const std::uint64_t mask = (std::uint64_t{1} << trials) - 1;
  for (std::size_t lane = 0; lane < Rng::lanes; ++lane) {
    draws[lane] = std::popcount(flips[lane] & mask);
    draws[lane + Rng::lanes] = std::popcount(flips[lane] >> 32 & mask);
  }
}

}  // namespace

void binomial_half(std::span<const std::uint64_t> trials, Rng& rng,
                   std::span<double> draws) noexcept {
  for (std::size_t i = 0; i < trials.size(); i += Rng::lanes) {
    Block block;
    std::ranges::copy(trials.subspan(i, Rng::lanes), block.begin());
    draw_block(block, rng, draws.data() + i);
  }
}

void binomial_half_rows(std::span<const std::uint64_t> trials, Rng& rng,
                        std::span<double> draws) noexcept {
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i] < 32) {
      draw_short(trials[i], rng, draws.data() + i * repetitions);
      continue;
    }
    Block block;
    block.fill(trials[i]);
    for (std::size_t r = 0; r < repetitions; r += Rng::lanes)
      draw_block(block, rng, draws.data() + i * repetitions + r);
  }
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
