// KeptRows: the columns of every row, for what cannot be computed in one pass: the bootstrap, which
// draws rows again, and the betting interval, which needs n before the first bet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "logs/estimators.hpp"
#include "logs/intervals.hpp"

namespace phe::logs {

class KeptRows {
 public:
  explicit KeptRows(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(const Row& row) {
    for (const Column column : columns_) values_.push_back(row[column]);
  }
  void clear() { values_ = {}; }

  [[nodiscard]] std::size_t size() const noexcept {
    return columns_.empty() ? 0 : values_.size() / columns_.size();
  }
  [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }
  // One after the other, columns() of them.
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    return std::span(values_).subspan(i * columns_.size(), columns_.size());
  }
  // Precondition: it is one of columns().
  [[nodiscard]] std::vector<double> column(Column column) const;

 private:
  std::vector<Column> columns_;
  std::vector<double> values_;
};

// Percentile bootstrap: as many rows as there are, drawn with replacement, `resamples` times; every
// estimator is computed anew from each, with its own denominator, the reward model held fixed. The
// ends are the empirical quantiles (interpolated) of each estimator's values. Rows must have all
// columns of the estimators; 2 at least.
std::vector<Interval> bootstrap_intervals(const KeptRows& rows,
                                          std::span<const Estimator> estimators,
                                          std::uint64_t resamples, std::uint64_t seed,
                                          double confidence);

}  // namespace phe::logs
