#include "kernels/binomial_half.hpp"

#include <algorithm>

#include "kernels/binomial_large.hpp"
#include "kernels/binomial_tables.hpp"

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
template <BinomialPlace place>
HWY_INLINE Short look_up(Short digit, Short bits, const std::uint32_t* cells, Lanes& escaped) {
  const hn::RebindToSigned<ShortTag> signed_tag;
  const Short low_bits = hn::Set(short_tag, static_cast<std::uint32_t>(place.low_bits()));
  const Short index = hn::ShiftRight<place.shift()>(bits);
  const Short at = hn::Add(hn::ShiftLeft<place.cell_bits>(digit), index);
  const Short cell = load_cells(cells, at);
  const auto own = hn::Lt(hn::BitCast(signed_tag, hn::And(bits, low_bits)),
                          hn::BitCast(signed_tag, hn::And(cell, low_bits)));
  const Short chosen =
      hn::IfThenElse(hn::RebindMask(short_tag, own), index, hn::ShiftRight<place.shift()>(cell));
  escaped = hn::Eq(chosen, hn::Zero(short_tag));
  const Short half = hn::ShiftLeft<place.unit_bits - 1>(digit);
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

  // The bits that any lane's m has.
  [[nodiscard]] HWY_INLINE std::uint64_t bits() const { return bits_; }
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
    if (m.bits() >= BinomialTables::fine.unit()) add_digits(m, sum);
    const bool large = m.bits() >= BinomialTables::summed_limit;
    if (m.bits() >= BinomialTables::limit && !large) add_rest(m, sum);
    for (std::size_t v = 0; v < short_vectors; ++v) store(sum[v], draws + v * short_width);
    if (large) draw_large_lanes(m, draws);
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
  // m mod 2^14, but for its lowest 6 bits.
  HWY_INLINE void add_digits(const Trials& m, Short* sum) {
    constexpr BinomialPlace fine = BinomialTables::fine;
    constexpr BinomialPlace coarse = BinomialTables::coarse;
    const Short fifteen = hn::Set(short_tag, 15);
    Short low[short_vectors];
    Short high[short_vectors];
    for (std::size_t v = 0; v < short_vectors; ++v) {
      low[v] = hn::And(hn::ShiftRight<fine.unit_bits>(m.low(v)), fifteen);
      high[v] = hn::And(hn::ShiftRight<coarse.unit_bits>(m.low(v)), fifteen);
    }
    add_tables<fine, coarse>(low, high, (m.bits() & 15 * fine.unit()) != 0,
                             (m.bits() & 15 * coarse.unit()) != 0, sum);
  }

  // The rest of m < 2^19, a multiple of 1024: up to 30 of these a word.
  HWY_INLINE void add_rest(const Trials& m, Short* sum) {
    constexpr BinomialPlace coarse = BinomialTables::coarse;
    const Short fifteen = hn::Set(short_tag, 15);
    Short left[short_vectors];
    for (std::size_t v = 0; v < short_vectors; ++v)
      left[v] = hn::ShiftLeft<4>(hn::ShiftRight<coarse.unit_bits + 4>(m.low(v)));
    for (std::uint64_t most = m.bits() / BinomialTables::limit * 16; most > 0;
         most -= std::min<std::uint64_t>(most, 30)) {
      Short low[short_vectors];
      Short high[short_vectors];
      for (std::size_t v = 0; v < short_vectors; ++v) {
        low[v] = hn::Min(left[v], fifteen);
        left[v] = hn::Sub(left[v], low[v]);
        high[v] = hn::Min(left[v], fifteen);
        left[v] = hn::Sub(left[v], high[v]);
      }
      add_tables<coarse, coarse>(low, high, true, true, sum);
    }
  }

  // Adds the values that the two halves of the next word choose for these digits.
  template <BinomialPlace low_place, BinomialPlace high_place>
  HWY_INLINE void add_tables(const Short* low, const Short* high, bool some_low, bool some_high,
                             Short* sum) {
    Word words[vectors];
    Short low_bits[short_vectors];
    Short high_bits[short_vectors];
    generator_.next(words);
    narrow(words, low_bits);
    narrow_high(words, high_bits);
    for (std::size_t v = 0; v < short_vectors; ++v) {
      Lanes low_escaped = hn::Ne(low[v], low[v]);
      Lanes high_escaped = low_escaped;
      if (some_low)
        sum[v] = hn::Add(sum[v],
                         look_up<low_place>(low[v], low_bits[v], cells<low_place>(), low_escaped));
      if (some_high)
        sum[v] = hn::Add(
            sum[v], look_up<high_place>(high[v], high_bits[v], cells<high_place>(), high_escaped));
      if (!hn::AllFalse(short_tag, hn::Or(low_escaped, high_escaped)))
        finish_escapes(
            hn::IfThenElseZero(low_escaped, hn::ShiftLeft<low_place.unit_bits>(low[v])),
            hn::IfThenElseZero(high_escaped, hn::ShiftLeft<high_place.unit_bits>(high[v])), sum[v]);
    }
  }

  HWY_INLINE void finish_escapes(Short low_trials, Short high_trials, Short& sum) {
    std::uint32_t low[short_width];
    std::uint32_t high[short_width];
    std::uint32_t sums[short_width];
    hn::StoreU(low_trials, short_tag, low);
    hn::StoreU(high_trials, short_tag, high);
    hn::StoreU(sum, short_tag, sums);
    generator_.store(rng_.state());
    add_residues(low, high, short_width, rng_, sums);
    generator_.load(rng_.state());
    sum = hn::LoadU(short_tag, sums);
  }

  HWY_INLINE void draw_large_lanes(const Trials& m, double* draws) {
    std::uint64_t trials[lanes];
    m.store(trials);
    generator_.store(rng_.state());
    draw_large(trials, rng_, draws);
    generator_.load(rng_.state());
  }

  template <BinomialPlace place>
  [[nodiscard]] HWY_INLINE const std::uint32_t* cells() const {
    return place.unit_bits == BinomialTables::fine.unit_bits ? fine_ : coarse_;
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

}  // namespace phe::kernels
#endif  // HWY_ONCE
