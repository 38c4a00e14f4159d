#include "kernels/binomial_tables.hpp"

#include <cassert>

namespace phe::kernels {

namespace {

// Probabilities as integers over 2^112: a product with a number below 2^14 fits into 128 bits, and
// all the roundings of a walk over the outcomes add up to less than 2^-98.
using Fixed = uint128;
constexpr int fixed_bits = 112;
constexpr int weight_bits = 32;
constexpr int residue_bits = fixed_bits - weight_bits;

// P(X = j + 1) from P(X = j), for X ~ B(n, 1/2).
Fixed next_probability(Fixed p, std::uint64_t n, std::uint64_t j) { return p * (n - j) / (j + 1); }

// P(X = n/2) for X ~ B(n, 1/2) with n = to, from that with n = from: factors (2i - 1) / 2i.
Fixed extend_mode(Fixed p, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t n = from; n < to; n += 2) p = p * (n + 1) / (n + 2);
  return p;
}

std::uint64_t weight(Fixed p) { return static_cast<std::uint64_t>(p >> residue_bits); }
Fixed residue(Fixed p) { return p & ((Fixed{1} << residue_bits) - 1); }

// The weight of each outcome of `place` at n trials; they add up to 2^32.
std::vector<std::uint64_t> outcome_weights(BinomialPlace place, std::uint64_t n, Fixed mode) {
  std::vector<std::uint64_t> weights(std::size_t{1} << place.cell_bits);
  weights[0] = std::uint64_t{1} << weight_bits;
  Fixed p = mode;
  for (std::uint64_t c = 0; weight(p) > 0 && c <= n / 2; ++c) {
    assert(c < place.centre());
    weights[place.centre() + c] = weight(p);
    weights[place.centre() - c] = weight(p);
    weights[0] -= weight(p) * (c == 0 ? 1 : 2);
    p = next_probability(p, n, n / 2 + c);
  }
  return weights;
}

// Vose's construction in integers: every cell ends with exactly 2^shift of weight, of which the
// low bits say how much belongs to the cell's own outcome.
void fill_cells(std::vector<std::uint64_t> weights, unsigned shift, std::uint32_t* cells) {
  const std::uint64_t capacity = std::uint64_t{1} << shift;
  std::vector<std::size_t> small;
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < weights.size(); ++i)
    (weights[i] < capacity ? small : large).push_back(i);
  while (!small.empty()) {
    const std::size_t i = small.back();
    const std::size_t donor = large.back();
    small.pop_back();
    cells[i] = static_cast<std::uint32_t>(donor << shift | weights[i]);
    weights[donor] -= capacity - weights[i];
    if (weights[donor] < capacity) {
      large.pop_back();
      small.push_back(donor);
    }
  }
  for (const std::size_t i : large) {
    assert(weights[i] == capacity);
    cells[i] = static_cast<std::uint32_t>(i << shift);  // full: both choices are i
  }
}

std::vector<std::uint32_t> build(BinomialPlace place) {
  const std::size_t cells = std::size_t{1} << place.cell_bits;
  // Digit 0: every cell chooses the centre, the value 0. One cell is spare: a gather of 64 bits may
  // read past the last.
  std::vector<std::uint32_t> table(16 * cells + 1,
                                   static_cast<std::uint32_t>(place.centre() << place.shift()));
  Fixed mode = Fixed{1} << fixed_bits;
  for (std::uint64_t digit = 1; digit < 16; ++digit) {
    const std::uint64_t n = place.unit() * digit;
    mode = extend_mode(mode, n - place.unit(), n);
    fill_cells(outcome_weights(place, n, mode), place.shift(), table.data() + digit * cells);
  }
  return table;
}

}  // namespace

BinomialTables::BinomialTables() : fine_(build(fine)), coarse_(build(coarse)) {}

const BinomialTables& BinomialTables::first_instance() {
  static const BinomialTables tables;
  built_.store(&tables, std::memory_order_release);
  return tables;
}

namespace {

// Built (0.4 ms) when the program starts, so that no first round waits or allocates.
[[maybe_unused]] const BinomialTables& built_at_start = BinomialTables::instance();

}  // namespace

std::uint64_t BinomialTables::draw(BinomialPlace place, std::uint64_t digit, std::uint64_t bits,
                                   Rng& rng) const noexcept {
  const std::uint64_t chosen = outcome(place, digit, bits);
  const std::uint64_t trials = place.unit() * digit;
  return chosen == 0 ? draw_residue(trials, rng) : trials / 2 + chosen - place.centre();
}

std::uint64_t draw_residue(std::uint64_t trials, Rng& rng) noexcept {
  // Inversion: the residues add up to the integer escape weight; walk outward from the mode, both
  // sides at once, until their running sum passes a uniform share of it.
  const Fixed mode = extend_mode(Fixed{1} << fixed_bits, 0, trials);
  const std::uint64_t half = trials / 2;
  std::uint64_t escape = std::uint64_t{1} << weight_bits;
  Fixed p = mode;
  for (std::uint64_t c = 0; c <= half && weight(p) > 0; ++c) {
    escape -= weight(p) * (c == 0 ? 1 : 2);
    p = next_probability(p, trials, half + c);
  }
  const Fixed share = (Fixed{rng()} * escape) << (residue_bits - 64);
  Fixed sum = 0;
  p = mode;
  for (std::uint64_t c = 0; c <= half; ++c) {
    sum += residue(p);
    if (sum > share) return half + c;
    if (c > 0) sum += residue(p);
    if (sum > share) return half - c;
    p = next_probability(p, trials, half + c);
  }
  return half;
}

void add_residues(const std::uint32_t* low_trials, const std::uint32_t* high_trials,
                  std::size_t lanes, Rng& rng, std::uint32_t* sums) noexcept {
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (const std::uint32_t trials : {low_trials[lane], high_trials[lane]})
      if (trials > 0) sums[lane] += static_cast<std::uint32_t>(draw_residue(trials, rng));
}

}  // namespace phe::kernels
