// theta from a file: one row of d numbers, or one number on each of d lines.
#pragma once

#include <filesystem>
#include <vector>

#include "support/csv.hpp"
#include "support/error.hpp"

namespace phe {

inline Result<std::vector<double>> read_theta(const std::filesystem::path& file,
                                              std::size_t dimension) {
  const auto rows = read_csv_numbers(file);
  if (!rows) return rows.error();
  std::vector<double> theta;
  for (const auto& row : rows.value()) theta.insert(theta.end(), row.begin(), row.end());
  if (theta.size() != dimension)
    return invalid("{}: theta must have {} numbers, one a feature, got {}", file.string(),
                   dimension, theta.size());
  return theta;
}

}  // namespace phe
