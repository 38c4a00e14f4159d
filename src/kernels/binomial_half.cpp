#include "kernels/binomial_half.hpp"

#include <algorithm>
#include <bit>

#include "kernels/binomial_large.hpp"
#include "kernels/binomial_tables.hpp"

#ifndef PHE_KERNELS_BINOMIAL_HALF_FINISH
#define PHE_KERNELS_BINOMIAL_HALF_FINISH
namespace phe::kernels {

// What the tables cannot do for 8 lanes: escapes, marked by place, and trials from 2^14 on.
void finish_block(const std::uint64_t* trials, const std::uint32_t (*marks)[Rng::lanes], Rng& rng,
                  double* draws) noexcept;

}  // namespace phe::kernels
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/binomial_half.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/xoshiro-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// 8 lanes of 32 bits: the digits of m, the bits that choose a cell, and the sums.
using ShortTag = hn::CappedTag<std::uint32_t, lanes>;
using Short = hn::Vec<ShortTag>;
using Lanes = hn::Mask<ShortTag>;
inline constexpr ShortTag short_tag;
inline constexpr std::size_t short_width = hn::MaxLanes(ShortTag{});
inline constexpr std::size_t short_vectors = lanes / short_width;

// narrow: the low 32 bits of 8 words, in order; narrow_high: the high ones. store: as doubles.
#if HWY_TARGET == HWY_SCALAR || HWY_CAP_GE512
// As many short lanes in a register as there are words.
HWY_INLINE void narrow(const Word* words, Short* low) {
  for (std::size_t v = 0; v < vectors; ++v) low[v] = hn::TruncateTo(short_tag, words[v]);
}
HWY_INLINE void store(Short sums, double* draws) {
  const auto integers = hn::BitCast(hn::RebindToSigned<ShortTag>(), sums);
  hn::StoreU(hn::PromoteTo(real_tag, integers), real_tag, draws);
}
#else
// Twice as many.
HWY_INLINE void narrow(const Word* words, Short* low) {
  for (std::size_t v = 0; v < short_vectors; ++v)
    low[v] = hn::ConcatEven(short_tag, hn::BitCast(short_tag, words[2 * v + 1]),
                            hn::BitCast(short_tag, words[2 * v]));
}
HWY_INLINE void store(Short sums, double* draws) {
  const hn::Half<hn::RebindToSigned<ShortTag>> half_tag;
  const auto integers = hn::BitCast(hn::RebindToSigned<ShortTag>(), sums);
  hn::StoreU(hn::PromoteTo(real_tag, hn::LowerHalf(half_tag, integers)), real_tag, draws);
  hn::StoreU(hn::PromoteTo(real_tag, hn::UpperHalf(half_tag, integers)), real_tag, draws + width);
}
#endif

HWY_INLINE Word count_bits(Word words) {
#if HWY_TARGET == HWY_SCALAR
  return hn::PopulationCount(words);
#else
  // Bits a byte, then one instruction for the sum of 8 bytes.
  const hn::Repartition<std::uint8_t, WordTag> byte_tag;
  return hn::SumsOf8(hn::PopulationCount(hn::BitCast(byte_tag, words)));
#endif
}

HWY_INLINE void narrow_high(const Word* words, Short* high) {
  Word shifted[vectors];
  for (std::size_t v = 0; v < vectors; ++v) shifted[v] = hn::ShiftRight<32>(words[v]);
  narrow(shifted, high);
}

// cells[index], lane by lane.
HWY_INLINE Short load_cells(const std::uint32_t* cells, Short index) {
#if HWY_TARGET == HWY_AVX2
  // Eight loads; gathering takes longer on Zen 3, 3.3 instead of 3.0 ns a draw.
  alignas(32) std::uint32_t at[lanes];
  hn::Store(index, short_tag, at);
  const auto cell = [&](std::size_t lane) { return static_cast<int>(cells[at[lane]]); };
  return Short{
      _mm256_setr_epi32(cell(0), cell(1), cell(2), cell(3), cell(4), cell(5), cell(6), cell(7))};
#else
  return hn::GatherIndex(short_tag, cells, hn::BitCast(hn::RebindToSigned<ShortTag>(), index));
#endif
}

// The values that 32 random bits a lane choose from the table of each lane's digit. Marks in
// `escaped` where the outcome is the escape; the value is then 0.
template <unsigned cell_bits>
HWY_INLINE Short look_up(Short digit, Short bits, BinomialPlace place, const std::uint32_t* cells,
                         Lanes& escaped) {
  const hn::RebindToSigned<ShortTag> signed_tag;
  constexpr unsigned shift = 32 - cell_bits;
  const Short low_bits = hn::Set(short_tag, static_cast<std::uint32_t>(place.low_bits()));
  const Short index = hn::ShiftRight<shift>(bits);
  const Short at = hn::Add(hn::ShiftLeft<cell_bits>(digit), index);
  const Short cell = load_cells(cells, at);
  const auto own = hn::Lt(hn::BitCast(signed_tag, hn::And(bits, low_bits)),
                          hn::BitCast(signed_tag, hn::And(cell, low_bits)));
  const Short chosen =
      hn::IfThenElse(hn::RebindMask(short_tag, own), index, hn::ShiftRight<shift>(cell));
  escaped = hn::Eq(chosen, hn::Zero(short_tag));
  // n / 2 + chosen - centre, where n / 2 = digit * unit / 2 and unit = 4^(cell_bits - 5).
  const Short half = hn::ShiftLeft<2 * (cell_bits - 5) - 1>(digit);
  const Short centre = hn::Set(short_tag, static_cast<std::uint32_t>(place.centre()));
  return hn::IfThenZeroElse(escaped, hn::Sub(hn::Add(half, chosen), centre));
}

// What 8 values of m ask for.
class Trials {
 public:
  HWY_INLINE explicit Trials(const std::uint64_t* m) {
    for (std::size_t v = 0; v < vectors; ++v) m_[v] = hn::LoadU(word_tag, m + v * width);
    for (std::size_t lane = 0; lane < lanes; ++lane) bits_ |= m[lane];
    prepare();
  }
  HWY_INLINE explicit Trials(std::uint64_t m) : bits_(m) {
    for (Word& part : m_) part = hn::Set(word_tag, m);
    prepare();
  }

  // Whether any lane's m has any of these bits.
  [[nodiscard]] HWY_INLINE bool any(std::uint64_t bits) const { return (bits_ & bits) != 0; }
  [[nodiscard]] HWY_INLINE Word mask(std::size_t v) const { return mask_[v]; }
  [[nodiscard]] HWY_INLINE Short low(std::size_t v) const { return low_[v]; }
  HWY_INLINE void store(std::uint64_t* m) const {
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(m_[v], word_tag, m + v * width);
  }

 private:
  HWY_INLINE void prepare() {
    const Word one = hn::Set(word_tag, 1);
    for (std::size_t v = 0; v < vectors; ++v)
      mask_[v] = hn::Sub(hn::Shl(one, hn::And(m_[v], hn::Set(word_tag, 63))), one);
    narrow(m_, low_);
  }

  Word m_[vectors];
  Word mask_[vectors];  // m mod 64 bits
  Short low_[short_vectors];
  std::uint64_t bits_ = 0;
};

// `generator_` stays in registers: nothing that is not inlined may see it (4.0 -> 2.9 ns a draw).
class Sampler {
 public:
  HWY_INLINE Sampler(Rng& rng, const BinomialTables& tables)
      : rng_(rng),
        generator_(rng.state()),
        fine_(tables.cells(BinomialTables::fine)),
        coarse_(tables.cells(BinomialTables::coarse)) {}
  HWY_INLINE void finish() { generator_.store(rng_.state()); }

  // One block of 8 lanes: draws ~ B(m, 1/2).
  HWY_INLINE void draw(const Trials& m, double* draws) {
    Word words[vectors];
    Short sum[short_vectors];
    generator_.next(words);
    for (std::size_t v = 0; v < vectors; ++v) words[v] = count_bits(hn::And(words[v], m.mask(v)));
    narrow(words, sum);
    if (m.any(~std::uint64_t{63})) {
      add_digits(m, sum, draws);
    } else {
      for (std::size_t v = 0; v < short_vectors; ++v) store(sum[v], draws + v * short_width);
    }
  }

  // 16 draws of B(m, 1/2) for one m < 32, from half a word each: lane by lane the low halves give
  // the first 8, the high halves the last 8.
  HWY_INLINE void draw_short(std::uint64_t m, double* draws) {
    Word words[vectors];
    Word counts[vectors];
    Short sum[short_vectors];
    generator_.next(words);
    const Word mask = hn::Set(word_tag, (std::uint64_t{1} << m) - 1);
    for (std::size_t v = 0; v < vectors; ++v) counts[v] = count_bits(hn::And(words[v], mask));
    narrow(counts, sum);
    for (std::size_t v = 0; v < short_vectors; ++v) store(sum[v], draws + v * short_width);
    for (std::size_t v = 0; v < vectors; ++v)
      counts[v] = count_bits(hn::And(hn::ShiftRight<32>(words[v]), mask));
    narrow(counts, sum);
    for (std::size_t v = 0; v < short_vectors; ++v) store(sum[v], draws + lanes + v * short_width);
  }

 private:
  HWY_INLINE void add_digits(const Trials& m, Short* sum, double* draws) {
    Word words[vectors];
    Short fine_bits[short_vectors];
    Short coarse_bits[short_vectors];
    Lanes escaped[2][short_vectors];
    generator_.next(words);
    narrow(words, fine_bits);
    narrow_high(words, coarse_bits);
    const bool some_fine = m.any(15 * 64);
    const bool some_coarse = m.any(15 * 1024);
    const Short fifteen = hn::Set(short_tag, 15);
    bool unfinished = m.any(~(BinomialTables::limit - 1));
    for (std::size_t v = 0; v < short_vectors; ++v) {
      escaped[0][v] = escaped[1][v] = hn::Ne(fifteen, fifteen);
      if (some_fine) {
        const Short digit = hn::And(hn::ShiftRight<6>(m.low(v)), fifteen);
        sum[v] =
            hn::Add(sum[v], look_up<BinomialTables::fine.cell_bits>(
                                digit, fine_bits[v], BinomialTables::fine, fine_, escaped[0][v]));
      }
      if (some_coarse) {
        const Short digit = hn::And(hn::ShiftRight<10>(m.low(v)), fifteen);
        sum[v] = hn::Add(
            sum[v], look_up<BinomialTables::coarse.cell_bits>(
                        digit, coarse_bits[v], BinomialTables::coarse, coarse_, escaped[1][v]));
      }
      store(sum[v], draws + v * short_width);
      unfinished |= !hn::AllFalse(short_tag, hn::Or(escaped[0][v], escaped[1][v]));
    }
    if (unfinished) finish_lanes(m, escaped, draws);
  }

  HWY_INLINE void finish_lanes(const Trials& m, const Lanes (&escaped)[2][short_vectors],
                               double* draws) {
    std::uint64_t trials[lanes];
    std::uint32_t marks[2][lanes];
    m.store(trials);
    for (const int place : {0, 1})
      for (std::size_t v = 0; v < short_vectors; ++v)
        hn::StoreU(hn::VecFromMask(short_tag, escaped[place][v]), short_tag,
                   marks[place] + v * short_width);
    generator_.store(rng_.state());
    finish_block(trials, marks, rng_, draws);
    generator_.load(rng_.state());
  }

  Rng& rng_;
  Xoshiro generator_;
  const std::uint32_t* fine_;
  const std::uint32_t* coarse_;
};

void binomial_half(const std::uint64_t* trials, std::size_t count, Rng& rng, double* draws,
                   const BinomialTables& tables) {
  Sampler sampler(rng, tables);
  for (std::size_t i = 0; i < count; i += lanes) sampler.draw(Trials(trials + i), draws + i);
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
    const Trials m(trials[i]);
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

void finish_block(const std::uint64_t* trials, const std::uint32_t (*marks)[Rng::lanes], Rng& rng,
                  double* draws) noexcept {
  LargeBinomial large(BinomialTables::limit);
  for (std::size_t lane = 0; lane < Rng::lanes; ++lane) {
    const std::uint64_t n = trials[lane];
    if (n >= BinomialTables::limit) {
      if (n != large.trials()) large = LargeBinomial(n);
      draws[lane] = static_cast<double>(large.draw(rng));
      continue;
    }
    if (marks[0][lane] != 0)
      draws[lane] += static_cast<double>(draw_residue(n / 64 % 16 * 64, rng));
    if (marks[1][lane] != 0) draws[lane] += static_cast<double>(draw_residue(n / 1024 * 1024, rng));
  }
}

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
