#include "logs/kept_rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "phe/rng.hpp"

namespace phe::logs {

namespace {

// Means of all columns over as many rows as there are, drawn with replacement.
Row resampled_means(const KeptRows& rows, Rng& rng) {
  const std::size_t width = rows.columns().size();
  std::array<double, column_count> sums{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = rows.row(rng.below(rows.size()));
    for (std::size_t j = 0; j < width; ++j) sums[j] += row[j];
  }
  Row means{};
  for (std::size_t j = 0; j < width; ++j)
    means[rows.columns()[j]] = sums[j] / static_cast<double>(rows.size());
  return means;
}

// Between the order statistics around (n - 1) p, in proportion; `values` are sorted.
double quantile(const std::vector<double>& values, double p) {
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

Interval percentiles(std::vector<double> values, double confidence) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {none, none};
  std::ranges::sort(values);
  const double miss = 0.5 * (1.0 - confidence);
  return {quantile(values, miss), quantile(values, 1.0 - miss)};
}

}  // namespace

std::vector<double> KeptRows::column(Column column) const {
  const auto found = std::ranges::find(columns_, column);
  assert(found != columns_.end());
  const auto place = static_cast<std::size_t>(found - columns_.begin());
  std::vector<double> values(size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = row(i)[place];
  return values;
}

std::vector<Interval> bootstrap_intervals(const KeptRows& rows,
                                          std::span<const Estimator> estimators,
                                          std::uint64_t resamples, std::uint64_t seed,
                                          double confidence) {
  Rng rng(StreamKey(seed).with("bootstrap"));
  std::vector<std::vector<double>> values(estimators.size());
  for (std::uint64_t i = 0; i < resamples; ++i) {
    const Row means = resampled_means(rows, rng);
    for (std::size_t e = 0; e < estimators.size(); ++e)
      values[e].push_back(estimators[e].value(means));
  }
  std::vector<Interval> intervals;
  for (auto& list : values) intervals.push_back(percentiles(std::move(list), confidence));
  return intervals;
}

}  // namespace phe::logs
