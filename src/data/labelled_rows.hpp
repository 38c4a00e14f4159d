// LabelledRows: a data set for classification, each row as features and a class.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/table.hpp"
#include "phe/result.hpp"

namespace phe {

// How features are made comparable, over the whole set; a constant one becomes 0 under the first
// two.
enum class Scale {
  unit,      // (x - min) / (max - min)
  standard,  // (x - mean) / sd, with sd^2 the mean of (x - mean)^2
  none
};

class LabelledRows {
 public:
  // `label` is the column of the classes. A column of numbers is one feature; one of texts has a
  // feature per text, in byte order, 1 where it stands and 0 elsewhere, and then scaled as all; the
  // last feature is the bias 1. Classes are numbered as their names are ordered: as numbers when
  // all are, else by bytes.
  static Result<LabelledRows> create(const TextTable& table, std::size_t label, Scale scale);

  [[nodiscard]] std::size_t rows() const noexcept { return classes_.size(); }
  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  [[nodiscard]] std::span<const double> features(std::size_t row) const noexcept {
    return std::span(features_).subspan(row * dimension_, dimension_);
  }
  [[nodiscard]] std::uint32_t class_of(std::size_t row) const noexcept { return classes_[row]; }
  [[nodiscard]] const std::vector<std::string>& class_names() const noexcept {
    return class_names_;
  }

 private:
  Result<void> read_classes(const TextTable& table, std::size_t label);
  Result<void> read_features(const TextTable& table, std::size_t label);
  void scale_feature(std::size_t feature, Scale scale);

  std::size_t dimension_ = 0;
  std::vector<double> features_;  // row by row
  std::vector<std::uint32_t> classes_;
  std::vector<std::string> class_names_;
};

}  // namespace phe
