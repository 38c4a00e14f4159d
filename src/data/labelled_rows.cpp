#include "data/labelled_rows.hpp"

#include <algorithm>
#include <cmath>

#include "data/columns.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace phe {

namespace {

constexpr std::size_t most_classes = 10'000;
constexpr std::size_t most_features = 10'000;

// x becomes (x - shift) * 1 / spread; a spread of 0 is that of a constant.
struct Scaling {
  double shift = 0.0;
  double spread = 1.0;
};

Scaling unit_scaling(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  return {low, high - low};
}

Scaling standard_scaling(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  if (low == high) return {low, 0.0};  // whatever the mean rounds to
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double x : values) sum += x;
  const double mean = sum / count;
  double squares = 0.0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / count)};
}

Scaling scaling_of(const std::vector<double>& values, Scale scale) {
  switch (scale) {
    case Scale::unit:
      return unit_scaling(values);
    case Scale::standard:
      return standard_scaling(values);
    case Scale::none:
      break;
  }
  return {};
}

}  // namespace

Result<LabelledRows> LabelledRows::create(const TextTable& table, std::size_t label, Scale scale) {
  LabelledRows data;
  if (auto read = data.read_classes(table, label); !read) return read.error();
  if (auto read = data.read_features(table, label); !read) return read.error();
  for (std::size_t j = 0; j + 1 < data.dimension_; ++j) data.scale_feature(j, scale);
  return data;
}

Result<void> LabelledRows::read_classes(const TextTable& table, std::size_t label) {
  auto read = read_categories(table, label);
  if (!read) return read.error();
  const std::size_t count = read->categories.size();
  if (count < 2)
    return invalid("{}: {} must have at least 2 classes, got only '{}'", table.file(),
                   table.column_text(label), read->categories[0]);
  if (count > most_classes)
    return invalid("{}: {} must have at most {} classes, got {}", table.file(),
                   table.column_text(label), most_classes, count);
  class_names_ = std::move(read->categories);
  classes_ = std::move(read->positions);
  return {};
}

Result<void> LabelledRows::read_features(const TextTable& table, std::size_t label) {
  std::vector<Column> columns;
  dimension_ = 1;  // the bias
  for (std::size_t column = 0; column < table.columns(); ++column) {
    if (column == label) continue;
    auto read = read_column(table, column);
    if (!read) return read.error();
    const std::size_t count = read->is_text() ? read->categories.size() : 1;
    dimension_ += count;
    if (dimension_ > most_features)
      return invalid(
          "{}: there can be at most {} features, one per text in a column of texts; {} "
          "has {}",
          table.file(), most_features, table.column_text(column), count);
    columns.push_back(std::move(read).value());
  }
  const double bytes =
      static_cast<double>(rows()) * static_cast<double>(dimension_) * sizeof(double);
  if (auto fits = check_memory(
          fmt::format("{}: {} rows of {} features", table.file(), rows(), dimension_), bytes);
      !fits)
    return fits;
  features_.assign(rows() * dimension_, 0.0);
  for (std::size_t row = 0; row < rows(); ++row) {
    double* x = features_.data() + row * dimension_;
    for (const Column& column : columns) {
      if (column.is_text()) {
        x[column.positions[row]] = 1.0;
        x += column.categories.size();
      } else {
        *x++ = column.numbers[row];
      }
    }
    *x = 1.0;
  }
  return {};
}

void LabelledRows::scale_feature(std::size_t feature, Scale scale) {
  std::vector<double> values(rows());
  for (std::size_t row = 0; row < rows(); ++row)
    values[row] = features_[row * dimension_ + feature];
  const Scaling scaling = scaling_of(values, scale);
  for (std::size_t row = 0; row < rows(); ++row)
    features_[row * dimension_ + feature] =
        scaling.spread > 0.0 ? (values[row] - scaling.shift) / scaling.spread : 0.0;
}

}  // namespace phe
