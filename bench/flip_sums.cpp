// The perturbation of LinPHE in contexts, sum_l x_l H_l with fresh flips of all past rows: phe's
// subset-sum tables beside a matrix product. An item is one past row in one round.
#include "kernels/flip_sums.hpp"

#include <algorithm>

#include "comparators/comparators.hpp"
#include "core/aligned_vector.hpp"
#include "support/rounds.hpp"

namespace phe::bench {

namespace {

constexpr std::size_t past_rows = 10'000;

// Features in [0, 1): feature j of row l stands at l * row_step + j * feature_step.
AlignedVector draw_features(std::size_t dimension, std::size_t size, std::size_t row_step,
                            std::size_t feature_step) {
  Rng rng(seed);
  AlignedVector x(size);
  for (std::size_t l = 0; l < past_rows; ++l)
    for (std::size_t j = 0; j < dimension; ++j) x[l * row_step + j * feature_step] = to_unit(rng());
  return x;
}

void count_flips(benchmark::State& state, std::size_t rounds) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(past_rows * rounds));
}

void tables(benchmark::State& state, std::size_t dimension) {
  const std::size_t stride = (dimension + 7) / 8 * 8;
  const AlignedVector x = draw_features(dimension, past_rows * stride, stride, 1);
  AlignedVector ahead(kernels::flip_rounds * stride);
  Rng rng(seed);
  for (auto _ : state) {
    std::ranges::fill(ahead, 0.0);
    kernels::add_flip_sums(x.data(), past_rows, dimension, stride, 1, rng, ahead.data());
    benchmark::ClobberMemory();
  }
  count_flips(state, kernels::flip_rounds);
}

void product(benchmark::State& state, std::size_t dimension) {
  const AlignedVector x = draw_features(dimension, past_rows * dimension, 1, past_rows);
  AlignedVector sums(eigen_flip_rounds * dimension);
  for (auto _ : state) {
    eigen_flip_sums(x, dimension, sums);
    benchmark::ClobberMemory();
  }
  count_flips(state, eigen_flip_rounds);
}

}  // namespace

void register_benchmarks() {
  for (const std::size_t d : {5, 10, 20, 64}) {
    const std::string suffix = "/d:" + std::to_string(d);
    benchmark::RegisterBenchmark(("flips/phe" + suffix).c_str(), tables, d);
    benchmark::RegisterBenchmark(("flips/eigen" + suffix).c_str(), product, d);
  }
}

}  // namespace phe::bench
