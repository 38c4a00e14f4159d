// The scalar twin of binomial_half.cpp: the same words of the generator, one lane after the other.
#include <algorithm>
#include <array>
#include <bit>

#include "kernels/binomial_half.hpp"
#include "kernels/binomial_large.hpp"
#include "kernels/binomial_tables.hpp"

namespace phe::kernels::scalar {

namespace {

using Block = std::array<std::uint64_t, Rng::lanes>;

// The sums grow by B(1024 units, 1/2), up to 30 units a word, and units[lane] by as many less.
void add_units(Block& units, std::uint64_t most, Rng& rng, Block& sums) noexcept {
  const BinomialTables& tables = BinomialTables::instance();
  for (; most > 0; most -= std::min<std::uint64_t>(most, 30)) {
    Rng::Step words;
    rng.step(words);
    for (std::size_t lane = 0; lane < Rng::lanes; ++lane)
      for (const std::uint64_t bits : {words[lane] & 0xffffffff, words[lane] >> 32}) {
        const std::uint64_t digit = std::min<std::uint64_t>(units[lane], 15);
        units[lane] -= digit;
        sums[lane] += tables.draw(BinomialTables::coarse, digit, bits, rng);
      }
  }
}

void draw_block(const Block& trials, Rng& rng, double* draws) noexcept {
  const BinomialTables& tables = BinomialTables::instance();
  Rng::Step flips;
  Rng::Step digits{};
  Block sums;
  Block rest;  // what is left of m, in units of 1024
  std::uint64_t bits = 0;
  for (const std::uint64_t m : trials) bits |= m;
  rng.step(flips);
  if (bits >= 64) rng.step(digits);
  for (std::size_t lane = 0; lane < Rng::lanes; ++lane) {
    const std::uint64_t m = trials[lane];
    const std::uint64_t mask = (std::uint64_t{1} << m % 64) - 1;
    sums[lane] = static_cast<std::uint64_t>(std::popcount(flips[lane] & mask));
    sums[lane] += tables.draw(BinomialTables::fine, m / 64 % 16, digits[lane] & 0xffffffff, rng);
    sums[lane] += tables.draw(BinomialTables::coarse, m / 1024 % 16, digits[lane] >> 32, rng);
    rest[lane] = m / BinomialTables::limit * 16;
  }
  const bool large = bits >= BinomialTables::summed_limit;
  if (!large) add_units(rest, bits / BinomialTables::limit * 16, rng, sums);
  std::ranges::copy(sums, draws);
  if (large) draw_large(trials.data(), rng, draws);
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

}  // namespace phe::kernels::scalar
