// ns a round of LinPHE and LinTS against the number of arms, of features and of rounds.
#include <algorithm>

#include "comparators/comparators.hpp"
#include "support/rounds.hpp"

namespace phe::bench {

namespace {

struct Point {
  std::string label;
  std::uint64_t arms;
  std::uint64_t dimension;
  std::uint64_t first;  // round from which is timed

  // Enough rounds for a few milliseconds.
  [[nodiscard]] std::uint64_t rounds() const {
    return std::clamp<std::uint64_t>(100'000'000 / (arms * dimension), 16, 16'000);
  }
};

void add(const std::string& policy, const Point& point) {
  const auto make = find_policy(policy);
  if (!make) return;
  const auto run = [=](benchmark::State& state) {
    const auto bandit = draw_instance("linear:d=" + std::to_string(point.dimension) +
                                      ",arms=" + std::to_string(point.arms));
    time_rounds(state, {bandit}, *make, point.first, point.first + point.rounds());
  };
  benchmark::RegisterBenchmark(
      ("scaling/" + policy.substr(0, policy.find(':')) + point.label).c_str(), run)
      ->Iterations(1);
}

}  // namespace

void register_benchmarks() {
  const bool quick = rounds_of_a_run() < 10'000;
  std::vector<Point> points;
  for (std::uint64_t k = 100; k <= (quick ? 10'000 : 1'000'000); k *= 10)
    for (const std::uint64_t step : {1, 3})
      if (k * step <= 1'000'000)
        points.push_back({"/K:" + std::to_string(k * step), k * step, 10, 200});
  for (const std::uint64_t d : {5, 8, 16, 32, 64, 128, 256, 512})
    if (!quick || d <= 64) points.push_back({"/d:" + std::to_string(d), 1'000, d, d + 200});
  for (std::uint64_t t = 1'000; t <= (quick ? 100'000 : 10'000'000); t *= 10)
    points.push_back({"/t:" + std::to_string(t), 100, 10, t});
  for (const Point& point : points)
    for (const auto* policy : {"linphe:a=1", "lints"}) add(policy, point);
}

}  // namespace phe::bench
