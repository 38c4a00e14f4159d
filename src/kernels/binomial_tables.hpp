// Exact tables for B(n, 1/2), n = 64 k and n = 1024 k, k = 1 .. 15.
//
// Any m < 2^14 is (m mod 64) + 64 * (one base-16 digit) + 1024 * (another), and B(m, 1/2) is the
// sum of independent binomials of the three parts. The first is a masked popcount; each digit is
// one look-up in an alias table (Walker 1977) whose cells have 32 bits. What is left of a larger m
// is a multiple of 1024, for which the tables are looked up several times.
//
// A table is exact, not a rounding. Outcome j has the integer weight floor(p_j 2^32); what all the
// floors cut off, a few hundred parts in 2^32, is the weight of the outcome `escape`. After an
// escape (about one draw in 10^7) the value is drawn from exactly that residue.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "phe/rng.hpp"
#include "support/int128.hpp"

namespace phe::kernels {

// The tables of one place: digit k stands for n = unit * k trials and has 2^cell_bits cells.
// 32 random bits r choose cell i = r >> (32 - cell_bits). When the other bits of r are below those
// of the cell, the outcome is i, else the top bits of the cell. Outcome `centre` + c is the value
// n / 2 + c; outcome 0 is the escape.
struct BinomialPlace {
  unsigned unit_bits;
  unsigned cell_bits;

  [[nodiscard]] constexpr std::uint64_t unit() const noexcept {
    return std::uint64_t{1} << unit_bits;
  }
  [[nodiscard]] constexpr unsigned shift() const noexcept { return 32 - cell_bits; }
  [[nodiscard]] constexpr std::uint64_t low_bits() const noexcept {
    return (std::uint64_t{1} << shift()) - 1;
  }
  [[nodiscard]] constexpr std::uint64_t centre() const noexcept {
    return std::uint64_t{1} << (cell_bits - 1);
  }
};

class BinomialTables {
 public:
  static constexpr BinomialPlace fine = {.unit_bits = 6, .cell_bits = 8};
  static constexpr BinomialPlace coarse = {.unit_bits = 10, .cell_bits = 10};
  static constexpr std::uint64_t limit = std::uint64_t{1} << 14;  // first m of more than two digits
  // Up to here a sum of draws of 15 * 1024 takes less time than rejection: at m = 2^19, 31 ns
  // against 45.
  static constexpr std::uint64_t summed_limit = std::uint64_t{1} << 19;

  static const BinomialTables& instance() {
    const BinomialTables* const tables = built_.load(std::memory_order_acquire);
    return tables != nullptr ? *tables : first_instance();
  }

  // The cells of digits 0, 1, .. 15, one table after the other.
  [[nodiscard]] const std::uint32_t* cells(BinomialPlace place) const noexcept {
    return place.unit_bits == fine.unit_bits ? fine_.data() : coarse_.data();
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return (fine_.size() + coarse_.size()) * sizeof(std::uint32_t);
  }

  // The outcome that 32 random bits choose.
  [[nodiscard]] std::uint64_t outcome(BinomialPlace place, std::uint64_t digit,
                                      std::uint64_t bits) const noexcept {
    const std::uint64_t index = bits >> place.shift();
    const std::uint64_t cell = cells(place)[(digit << place.cell_bits) + index];
    const bool own = (bits & place.low_bits()) < (cell & place.low_bits());
    return own ? index : cell >> place.shift();
  }

  // B(unit * digit, 1/2) from 32 random bits, and from `rng` after an escape.
  std::uint64_t draw(BinomialPlace place, std::uint64_t digit, std::uint64_t bits,
                     Rng& rng) const noexcept;

 private:
  BinomialTables();

  [[gnu::cold]] static const BinomialTables& first_instance();
  // Read in every round: without the guard and the call of a static local.
  static constinit inline std::atomic<const BinomialTables*> built_ = nullptr;

  std::vector<std::uint32_t> fine_;
  std::vector<std::uint32_t> coarse_;
};

// What the weights floor(p_j 2^32) of B(trials, 1/2) leave over: the law after an escape.
// Takes time of order `trials`, which is at most 15 * 1024.
std::uint64_t draw_residue(std::uint64_t trials, Rng& rng) noexcept;
// The same for lanes that may have escaped from two tables, of so many trials; 0 where they did
// not.
void add_residues(const std::uint32_t* low_trials, const std::uint32_t* high_trials,
                  std::size_t lanes, Rng& rng, std::uint32_t* sums) noexcept;

}  // namespace phe::kernels
