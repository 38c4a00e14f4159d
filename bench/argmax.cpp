// The argmax over K x d features beside plain reads of the same memory.
#include "comparators/comparators.hpp"
#include "core/offered.hpp"
#include "problems/sphere.hpp"
#include "support/rounds.hpp"

namespace phe::bench {

namespace {

struct Shape {
  std::size_t arms;
  std::size_t dimension;

  [[nodiscard]] std::string label() const {
    return "/K:" + std::to_string(arms) + "/d:" + std::to_string(dimension);
  }
};

// Arms on the sphere of the paper's problems, and a theta of the same kind.
struct Input {
  explicit Input(Shape shape)
      : bandit(draw_instance("linear:d=" + std::to_string(shape.dimension) +
                             ",arms=" + std::to_string(shape.arms))),
        theta(shape.dimension, 0.5) {
    Rng rng(seed);
    draw_on_sphere(std::span(theta).first(shape.dimension - 1), 0.5, rng);
  }
  [[nodiscard]] FeatureView features() const { return bandit->arms().view(); }

  std::shared_ptr<const Instance> bandit;
  std::vector<double> theta;
};

// An item is a pass over all features; the rate is what a pass of doubles reads.
void count_passes(benchmark::State& state, const FeatureView& x) {
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(x.stride * x.dimension * sizeof(double)));
}

void read(benchmark::State& state, Shape shape) {
  const Input input(shape);
  const FeatureView x = input.features();
  for (auto _ : state) benchmark::DoNotOptimize(read_features(x));
  count_passes(state, x);
}

void read_in_four(benchmark::State& state, Shape shape) {
  const Input input(shape);
  const FeatureView x = input.features();
  for (auto _ : state)
    benchmark::DoNotOptimize(read_in_four_streams({x.data, x.stride * x.dimension}));
  count_passes(state, x);
}

template <ArmId (Offered::*best)(std::span<const double>, Rng&) noexcept>
void argmax(benchmark::State& state, Shape shape) {
  const Input input(shape);
  Offered offered(input.bandit->arms());
  Rng rng(seed);
  for (auto _ : state) benchmark::DoNotOptimize((offered.*best)(input.theta, rng));
  count_passes(state, input.features());
}

}  // namespace

void register_benchmarks() {
  constexpr Shape shapes[] = {{10'000, 10},  {100'000, 10}, {1'000'000, 10},
                              {200'000, 32}, {10'000, 128}, {100'000, 128}};
  for (const Shape shape : shapes) {
    const auto add = [&](const char* name, auto function) {
      benchmark::RegisterBenchmark((name + shape.label()).c_str(), function, shape)
          ->Unit(benchmark::kMicrosecond);
    };
    add("argmax/read", read);
    add("argmax/read4", read_in_four);
    add("argmax/phe", argmax<&Offered::best_of_all>);
    add("argmax/screened", argmax<&Offered::best>);
  }
}

}  // namespace phe::bench
