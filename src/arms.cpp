#include "phe/arms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "support/aligned.hpp"
#include "support/csv.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace phe {

namespace {

// Columns are the given arms, scaled so that neither 1e-150 nor 1e+150 leaves the range of doubles.
Eigen::MatrixXd scaled_columns(const Arms& arms, const std::vector<ArmId>& chosen) {
  const auto d = static_cast<Eigen::Index>(arms.dimension());
  Eigen::MatrixXd columns(d, static_cast<Eigen::Index>(chosen.size()));
  for (Eigen::Index k = 0; k < columns.cols(); ++k)
    for (Eigen::Index j = 0; j < d; ++j)
      columns(j, k) = arms.at(chosen[static_cast<std::size_t>(k)], static_cast<std::size_t>(j));
  const double largest = columns.cwiseAbs().maxCoeff();
  return largest > 0 ? Eigen::MatrixXd(columns / largest) : columns;
}

std::vector<ArmId> descending(std::size_t from, std::size_t count) {
  std::vector<ArmId> ids(count);
  for (std::size_t i = 0; i < count; ++i) ids[i] = static_cast<ArmId>(from - i);
  return ids;
}

}  // namespace

Arms::Arms(std::size_t arms, std::size_t dimension)
    : values_(zeroed_array(padded(arms) * dimension)),
      view_{values_.get(), dimension, arms, padded(arms)} {}

Result<Arms> Arms::generate(
    std::size_t arms, std::size_t dimension,
    const std::function<double(std::size_t arm, std::size_t feature)>& value) {
  if (arms < 1) return invalid("arms: there must be at least 1 arm, got {}", arms);
  if (dimension < 1) return invalid("arms: there must be at least 1 feature, got {}", dimension);
  if (arms > std::numeric_limits<ArmId>::max())
    return invalid("arms: there can be at most {} arms, got {}", std::numeric_limits<ArmId>::max(),
                   arms);
  if (auto fits =
          check_memory(fmt::format("arms: {} arms of {} features", arms, dimension),
                       static_cast<double>(arms) * static_cast<double>(dimension) * sizeof(double));
      !fits)
    return fits.error();
  Arms result(arms, dimension);
  for (std::size_t k = 0; k < arms; ++k)
    for (std::size_t j = 0; j < dimension; ++j) {
      const double x = value(k, j);
      if (!std::isfinite(x))
        return invalid("arms: row {}, column {}: a feature must be finite, got {}", k + 1, j + 1,
                       x);
      result.values_.get()[j * result.view_.stride + k] = x;
    }
  return result;
}

Result<Arms> Arms::from_rows(const std::vector<std::vector<double>>& rows) {
  if (rows.empty()) return invalid("arms: there must be at least 1 arm, got 0");
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k].size() != rows[0].size())
      return invalid("arms: row {} has {} columns, row 1 has {}", k + 1, rows[k].size(),
                     rows[0].size());
  return generate(rows.size(), rows[0].size(),
                  [&](std::size_t k, std::size_t j) { return rows[k][j]; });
}

Result<Arms> Arms::from_csv(const std::filesystem::path& file) {
  auto rows = read_csv_numbers(file);
  if (!rows) return rows.error();
  auto arms = from_rows(rows.value());
  if (!arms) return invalid("{}: {}", file.string(), arms.error().message);
  return arms;
}

Result<Arms> Arms::with_bias() const {
  return generate(size(), dimension() + 1, [&](std::size_t k, std::size_t j) {
    return j < dimension() ? at(static_cast<ArmId>(k), j) : 1.0;
  });
}

void Arms::copy_row(ArmId arm, std::span<double> row) const noexcept {
  const FeatureView x = view_;  // a copy that `row` cannot overlap
  double* to = row.data();
  for (const double* from = x.data + arm; from != x.data + arm + x.dimension * x.stride;
       from += x.stride)
    *to++ = *from;
}

std::vector<ArmId> Arms::independent_arms() const {
  const std::size_t d = dimension();
  if (size() >= d) {
    auto last = descending(size() - 1, d);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled_columns(*this, last));
    if (qr.rank() == static_cast<Eigen::Index>(d)) return last;
  }
  const auto all = descending(size() - 1, size());
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled_columns(*this, all));
  std::vector<ArmId> chosen;
  for (Eigen::Index i = 0; i < qr.rank(); ++i)
    chosen.push_back(all[static_cast<std::size_t>(qr.colsPermutation().indices()[i])]);
  return chosen;
}

Result<std::vector<ArmId>> Arms::basis() const {
  auto chosen = independent_arms();
  if (chosen.size() < dimension())
    return invalid("arms: the {} feature rows span only {} of {} dimensions", size(), chosen.size(),
                   dimension());
  return chosen;
}

}  // namespace phe
