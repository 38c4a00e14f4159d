#include "phe/arms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/aligned.hpp"
#include "support/csv.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace phe {

namespace {

// A largest set of linearly independent rows among `arms`, the longest first, by Gram-Schmidt with
// pivoting: each time the row that is furthest from the span of those chosen.
std::vector<ArmId> independent_among(const Arms& arms, const std::vector<ArmId>& candidates) {
  const std::size_t d = arms.dimension();
  std::vector<double> rows(candidates.size() * d);
  double largest = 0.0;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    for (std::size_t j = 0; j < d; ++j) {
      rows[i * d + j] = arms.at(candidates[i], j);
      largest = std::max(largest, std::abs(rows[i * d + j]));
    }
  // Scaled so that squares neither of 1e-150 nor of 1e+150 leave the range of doubles.
  if (largest > 0)
    for (double& x : rows) x /= largest;

  const auto row = [&](std::size_t i) { return std::span(rows).subspan(i * d, d); };
  const auto squares = [](std::span<const double> x) {
    double sum = 0.0;
    for (const double entry : x) sum += entry * entry;
    return sum;
  };
  const auto subtract_projection = [](std::span<const double> unit, std::span<double> x) {
    double overlap = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) overlap += unit[j] * x[j];
    for (std::size_t j = 0; j < x.size(); ++j) x[j] -= overlap * unit[j];
  };

  std::vector<ArmId> chosen;
  std::vector<bool> taken(candidates.size());
  double least = 0.0;  // a length below which a row is in the span, but for rounding
  while (chosen.size() < d) {
    std::size_t best = candidates.size();
    double length = least;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (!taken[i] && std::sqrt(squares(row(i))) > length) {
        best = i;
        length = std::sqrt(squares(row(i)));
      }
    if (best == candidates.size()) break;
    if (chosen.empty())
      least = length * static_cast<double>(d) * std::numeric_limits<double>::epsilon();
    for (double& x : row(best)) x /= length;
    taken[best] = true;
    chosen.push_back(candidates[best]);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      for (int twice = 0; twice < 2 && !taken[i]; ++twice)  // a second pass for what rounding left
        subtract_projection(row(best), row(i));
  }
  return chosen;
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
    if (independent_among(*this, last).size() == d) return last;
  }
  return independent_among(*this, descending(size() - 1, size()));
}

Result<std::vector<ArmId>> Arms::basis() const {
  auto chosen = independent_arms();
  if (chosen.size() < dimension())
    return invalid("arms: the {} feature rows span only {} of {} dimensions", size(), chosen.size(),
                   dimension());
  return chosen;
}

}  // namespace phe
