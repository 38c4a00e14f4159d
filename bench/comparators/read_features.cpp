#include <algorithm>
#include <cstring>

#include "comparators/comparators.hpp"

namespace phe::bench {

namespace {

using Vector [[gnu::vector_size(32)]] = double;

Vector load(const double* from) {
  Vector values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

constexpr std::size_t block = 32;   // doubles of a feature that are read at once
constexpr std::size_t page = 2048;  // arms
constexpr std::size_t most_streams = 10;

// The blocks of features first to last - 1, one after the other, from arm `begin` to arm `end`.
void add_part(const FeatureView& x, std::size_t first, std::size_t last, std::size_t begin,
              std::size_t end, Vector (&sum)[8]) {
  for (std::size_t k = begin; k + block <= end; k += block)
    for (std::size_t j = first; j < last; ++j)
      for (std::size_t s = 0; s < 8; ++s) sum[s] += load(x.feature(j) + k + 4 * s);
}

double total_of(const Vector (&sums)[8]) {
  double total = 0.0;
  for (const Vector& part : sums) total += part[0] + part[1] + part[2] + part[3];
  return total;
}

}  // namespace

// The last arms, fewer than a block, are left out: at most 31 of the 10,000 or more that are timed.
double read_features(const FeatureView& x) {
  const std::size_t parts = (x.dimension + most_streams - 1) / most_streams;
  Vector sum[8] = {};
  for (std::size_t k = 0; k < x.arms; k += page)
    for (std::size_t p = 0; p < parts; ++p)
      add_part(x, x.dimension * p / parts, x.dimension * (p + 1) / parts, k,
               std::min(k + page, x.arms), sum);
  return total_of(sum);
}

// One stream alone reads 17 GB/s where four read 28 (EPYC, Zen 3).
double read_in_four_streams(std::span<const double> values) {
  const std::size_t quarter = values.size() / 32 * 8;
  const double* p[] = {values.data(), values.data() + quarter, values.data() + 2 * quarter,
                       values.data() + 3 * quarter};
  Vector sum[8] = {};
  for (std::size_t i = 0; i < quarter; i += 8)
    for (std::size_t s = 0; s < 8; ++s) sum[s] += load(p[s / 2] + i + s % 2 * 4);
  double total = 0.0;  // of what four equal streams leave
  for (std::size_t i = 4 * quarter; i < values.size(); ++i) total += values[i];
  return total + total_of(sum);
}

}  // namespace phe::bench
