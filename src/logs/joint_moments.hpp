// JointMoments: means and covariances of a few columns, one row after the other (Welford), so that
// nothing cancels and nothing is kept. Two of them add up (Chan, Golub & LeVeque 1983).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace phe::logs {

template <std::size_t Columns>
class JointMoments {
 public:
  using Row = std::array<double, Columns>;

  // Only the first Used columns are added up, the same number in every call.
  template <std::size_t Used = Columns>
  void add(const Row& row) noexcept {
    ++count_;
    const double share = 1.0 / static_cast<double>(count_);
    Row before;  // row - old mean
    Row after;   // row - new mean
    for (std::size_t i = 0; i < Used; ++i) {
      before[i] = row[i] - mean_[i];
      mean_[i] += before[i] * share;
      after[i] = row[i] - mean_[i];
    }
    for (std::size_t i = 0; i < Used; ++i)
      for (std::size_t j = 0; j <= i; ++j) sum_[i][j] += before[i] * after[j];
  }

  void add(const JointMoments& other) noexcept {
    if (other.count_ == 0) return;
    const auto own = static_cast<double>(count_);
    const auto theirs = static_cast<double>(other.count_);
    const double share = theirs / (own + theirs);
    Row apart;
    for (std::size_t i = 0; i < Columns; ++i) apart[i] = other.mean_[i] - mean_[i];
    for (std::size_t i = 0; i < Columns; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        sum_[i][j] += other.sum_[i][j] + apart[i] * apart[j] * own * share;
    for (std::size_t i = 0; i < Columns; ++i) mean_[i] += apart[i] * share;
    count_ += other.count_;
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] const Row& mean() const noexcept { return mean_; }
  // Divided by n - 1; 0 for less than two rows.
  [[nodiscard]] double covariance(std::size_t i, std::size_t j) const noexcept {
    if (count_ < 2) return 0.0;
    return (i >= j ? sum_[i][j] : sum_[j][i]) / static_cast<double>(count_ - 1);
  }
  // Of the sum over i of weights[i] * column i.
  [[nodiscard]] double variance_of(const Row& weights) const noexcept {
    double variance = 0.0;
    for (std::size_t i = 0; i < Columns; ++i)
      for (std::size_t j = 0; j < Columns; ++j)
        variance += weights[i] * weights[j] * covariance(i, j);
    return variance > 0.0 ? variance : 0.0;  // rounding may leave less than nothing
  }

 private:
  std::uint64_t count_ = 0;
  Row mean_{};
  std::array<Row, Columns> sum_{};  // of products of deviations; the lower triangle
};

}  // namespace phe::logs
