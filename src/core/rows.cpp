#include "core/rows.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "support/archive.hpp"

namespace phe {

namespace {

constexpr RowId none = ~RowId{0};

// Equal rows have equal hashes: -0 is taken for 0.
std::uint64_t hash_of(std::span<const double> x) noexcept {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (const double value : x) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value + 0.0)) * 0xd1342543de82ef95ULL;
    hash ^= hash >> 29;
  }
  return hash * 0xbf58476d1ce4e5b9ULL >> 20;
}

}  // namespace

Rows::Rows(std::size_t dimension, Layout layout)
    : dimension_(dimension), stride_(padded(dimension)), layout_(layout) {}

Rows::Rows(const Rows& other)
    : dimension_(other.dimension_),
      stride_(other.stride_),
      layout_(other.layout_),
      size_(other.size_),
      columns_(other.columns_),
      column_stride_(other.column_stride_),
      index_(other.index_) {
  values_.reserve(other.values_.capacity());
  values_ = other.values_;  // keeps the room
}

Rows& Rows::operator=(Rows other) noexcept {
  std::swap(dimension_, other.dimension_);
  std::swap(stride_, other.stride_);
  std::swap(layout_, other.layout_);
  std::swap(size_, other.size_);
  std::swap(values_, other.values_);
  std::swap(columns_, other.columns_);
  std::swap(column_stride_, other.column_stride_);
  std::swap(index_, other.index_);
  return *this;
}

void Rows::reserve(std::size_t rows) {
  values_.reserve(rows * stride_);
  if (layout_ == Layout::both && rows > column_stride_) widen_columns(padded(rows));
}

RowId Rows::append(std::span<const double> x) {
  const auto row = static_cast<RowId>(size_);
  values_.resize(values_.size() + stride_);
  std::copy_n(x.begin(), dimension_, values_.end() - static_cast<std::ptrdiff_t>(stride_));
  if (layout_ == Layout::both) {
    if (size_ == column_stride_) widen_columns(std::max<std::size_t>(16, 2 * column_stride_));
    for (std::size_t j = 0; j < dimension_; ++j) columns_[j * column_stride_ + row] = x[j];
  }
  ++size_;
  return row;
}

RowId Rows::intern(std::span<const double> x) {
  if (2 * (size_ + 1) > index_.size()) index_rows(std::max<std::size_t>(32, 2 * index_.size()));
  const std::size_t slot = slot_of(x);
  if (index_[slot] == none) index_[slot] = append(x);
  return index_[slot];
}

RowId Rows::replace(std::span<const double> x) {
  drop_first(size_);
  return append(x);
}

void Rows::drop_first(std::size_t count) {
  if (count == 0) return;
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(count * stride_));
  if (layout_ == Layout::both)
    for (std::size_t j = 0; j < dimension_; ++j) {
      double* column = columns_.data() + j * column_stride_;
      std::copy(column + count, column + size_, column);
      std::fill(column + size_ - count, column + size_, 0.0);
    }
  size_ -= count;
  if (!index_.empty()) index_rows(index_.size());
}

// Where x is, or where it would be: the first free slot of its chain.
std::size_t Rows::slot_of(std::span<const double> x) const noexcept {
  const std::size_t mask = index_.size() - 1;
  for (std::size_t slot = hash_of(x) & mask;; slot = (slot + 1) & mask) {
    const RowId row = index_[slot];
    if (row == none || std::ranges::equal(x, features(row).first(dimension_))) return slot;
  }
}

void Rows::index_rows(std::size_t slots) {
  index_.assign(slots, none);
  for (RowId row = 0; row < size_; ++row) index_[slot_of(features(row).first(dimension_))] = row;
}

void Rows::widen_columns(std::size_t rows) {
  AlignedVector wider(dimension_ * rows);
  for (std::size_t j = 0; j < dimension_; ++j)
    std::copy_n(columns_.begin() + static_cast<std::ptrdiff_t>(j * column_stride_), size_,
                wider.begin() + static_cast<std::ptrdiff_t>(j * rows));
  columns_ = std::move(wider);
  column_stride_ = rows;
}

void Rows::persist(Archive& archive) {
  bool interned = !index_.empty();
  archive(interned);
  std::vector<double> flat;
  for (RowId row = 0; row < size_; ++row) {
    const auto x = features(row).first(dimension_);
    flat.insert(flat.end(), x.begin(), x.end());
  }
  archive(flat);
  if (!archive.reading()) return;
  archive.require(flat.size() % dimension_ == 0, "rows of another length");
  if (!archive.ok()) return;
  drop_first(size_);
  for (std::size_t i = 0; i < flat.size(); i += dimension_)
    append(std::span(flat).subspan(i, dimension_));
  if (interned) index_rows(std::bit_ceil(std::max<std::size_t>(32, 2 * (size_ + 1))));
}

}  // namespace phe
