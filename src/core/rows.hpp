// Rows: the distinct feature vectors that were observed, in order of their first observation.
//
// Stored row by row, each padded with zeros to a multiple of 8 entries, so that kernels take a row
// as it is; and, where asked for, feature by feature too, like Arms, so that SIMD lanes are rows.
// Grows; what has room reserved for it does not allocate. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned_vector.hpp"
#include "phe/arms.hpp"

namespace phe {

class Archive;

using RowId = std::uint32_t;

class Rows {
 public:
  enum class Layout { by_row, both };

  explicit Rows(std::size_t dimension, Layout layout = Layout::by_row);
  // A copy has the same room.
  Rows(const Rows& other);
  Rows(Rows&&) noexcept = default;
  Rows& operator=(Rows other) noexcept;
  ~Rows() = default;

  // Room for `rows` in all. Memory is touched only as rows come in.
  void reserve(std::size_t rows);

  // A new row, of d entries, whatever it holds.
  RowId append(std::span<const double> x);
  // The row that equals x, entry by entry; a new one when there is none yet.
  RowId intern(std::span<const double> x);
  // The row that equals `row` of others with as many features.
  RowId intern(const Rows& others, RowId row) {
    return intern(others.features(row).first(dimension_));
  }
  // The only row: what was there before is forgotten.
  RowId replace(std::span<const double> x);
  // Forgets the first `count` rows; those behind them move up to row 0.
  void drop_first(std::size_t count);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }  // entries of a row
  [[nodiscard]] std::span<const double> features(RowId row) const noexcept {
    return {values_.data() + row * stride_, stride_};
  }
  [[nodiscard]] const double* data() const noexcept { return values_.data(); }
  // Feature by feature; view().arms is the number of rows. Precondition: Layout::both.
  [[nodiscard]] FeatureView view() const noexcept {
    return {columns_.data(), dimension_, size_, column_stride_};
  }

  void persist(Archive& archive);

 private:
  [[nodiscard]] std::size_t slot_of(std::span<const double> x) const noexcept;
  void index_rows(std::size_t slots);
  void widen_columns(std::size_t rows);

  std::size_t dimension_;
  std::size_t stride_;
  Layout layout_;
  std::size_t size_ = 0;
  AlignedVector values_;
  AlignedVector columns_;
  std::size_t column_stride_ = 0;
  std::vector<RowId> index_;  // open addressing; empty until a row is interned
};

}  // namespace phe
