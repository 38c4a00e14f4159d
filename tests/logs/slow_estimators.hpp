// The estimators to the letter: each formula written out over vectors, nothing shared with src.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace phe::test {

// One row of a log with all that an estimator may ask for.
struct LoggedRow {
  double w = 1.0;
  double r = 0.0;
  double dm = 0.0;  // DM_t
  double q = 0.0;   // of the logged action
};
using Rows = std::vector<LoggedRow>;

struct SlowEstimate {
  double value = 0.0;
  double se = 0.0;
};

template <class Term>
double mean_of(const Rows& rows, Term term) {
  double sum = 0.0;
  for (const LoggedRow& row : rows) sum += term(row);
  return sum / static_cast<double>(rows.size());
}

// sd (n - 1) / sqrt n of the terms.
template <class Term>
double error_of(const Rows& rows, Term term) {
  const double mean = mean_of(rows, term);
  double squares = 0.0;
  for (const LoggedRow& row : rows) squares += (term(row) - mean) * (term(row) - mean);
  const auto n = static_cast<double>(rows.size());
  return std::sqrt(squares / (n - 1.0) / n);
}

template <class Term>
SlowEstimate mean_estimate(const Rows& rows, Term term) {
  return {mean_of(rows, term), error_of(rows, term)};
}

inline std::map<std::string, SlowEstimate> slow_estimates(const Rows& rows, double clip, double tau,
                                                          double lambda) {
  std::map<std::string, SlowEstimate> all;
  all["logged"] = mean_estimate(rows, [](const auto& t) { return t.r; });
  all["ips"] = mean_estimate(rows, [](const auto& t) { return t.w * t.r; });
  all["clipped"] = mean_estimate(rows, [&](const auto& t) { return std::min(t.w, clip) * t.r; });
  all["dm"] = mean_estimate(rows, [](const auto& t) { return t.dm; });
  all["dr"] = mean_estimate(rows, [](const auto& t) { return t.dm + t.w * (t.r - t.q); });
  all["switch"] = mean_estimate(
      rows, [&](const auto& t) { return t.dm + (t.w <= tau ? t.w * (t.r - t.q) : 0.0); });
  all["dros"] = mean_estimate(rows, [&](const auto& t) {
    return t.dm + lambda * t.w / (t.w * t.w + lambda) * (t.r - t.q);
  });
  const double mean_w = mean_of(rows, [](const auto& t) { return t.w; });
  const double snips = mean_of(rows, [](const auto& t) { return t.w * t.r; }) / mean_w;
  all["snips"] = {snips,
                  error_of(rows, [&](const auto& t) { return t.w * (t.r - snips) / mean_w; })};
  const double mean_dm = all["dm"].value;
  const double u = mean_of(rows, [](const auto& t) { return t.w * (t.r - t.q); }) / mean_w;
  all["sndr"] = {mean_dm + u, error_of(rows, [&](const auto& t) {
                   return t.dm - mean_dm + (t.w * (t.r - t.q) - u * t.w) / mean_w;
                 })};
  return all;
}

inline double slow_effective_rows(const Rows& rows) {
  double sum = 0.0;
  double squares = 0.0;
  for (const LoggedRow& row : rows) {
    sum += row.w;
    squares += row.w * row.w;
  }
  return sum * sum / squares;
}

// Whether m is in the betting interval of z in [0, 1], row by row, in logarithms.
inline bool betting_keeps(std::span<const double> z, double m, double delta) {
  const auto n = static_cast<double>(z.size());
  double sum = 0.5;
  double squares = 0.25;
  double variance = 0.25;
  double more = 0.0;
  double less = 0.0;
  for (std::size_t t = 1; t <= z.size(); ++t) {
    const double l = std::sqrt(2.0 * std::log(2.0 / delta) / (n * variance));
    more += std::log(1.0 + std::min(l, 1.0 / (2.0 * m)) * (z[t - 1] - m));
    less += std::log(1.0 - std::min(l, 1.0 / (2.0 * (1.0 - m))) * (z[t - 1] - m));
    sum += z[t - 1];
    const double mean = sum / static_cast<double>(t + 1);
    squares += (z[t - 1] - mean) * (z[t - 1] - mean);
    variance = squares / static_cast<double>(t + 1);
  }
  return more < std::log(2.0 / delta) && less < std::log(2.0 / delta);
}

}  // namespace phe::test
