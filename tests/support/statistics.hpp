// What statistical tests need: tail probabilities of chi-square and Kolmogorov's law, moments,
// correlations, and the exact law of B(m, 1/2).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace phe::test {

// P(chi-square with `freedom` degrees of freedom > x): the regularised incomplete gamma function
// Q(freedom / 2, x / 2), by its series or its continued fraction (Lentz).
inline double chi_square_tail(double x, double freedom) {
  const double a = freedom / 2;
  const double y = x / 2;
  if (y <= 0) return 1.0;
  const double front = std::exp(a * std::log(y) - y - std::lgamma(a));
  if (y < a + 1) {
    double term = 1 / a;
    double sum = term;
    for (double n = 1; term > sum * 1e-16; ++n) sum += term *= y / (a + n);
    return 1 - front * sum;
  }
  double b = y + 1 - a;
  double c = 1e300;
  double d = 1 / b;
  double h = d;
  for (double i = 1; i < 10'000; ++i) {
    const double an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    const double factor = c * d;
    h *= factor;
    if (std::abs(factor - 1) < 1e-15) break;
  }
  return front * h;
}

// The p-value of counts against expected counts, all of which should be at least about 20.
inline double chi_square_p_value(std::span<const double> observed,
                                 std::span<const double> expected) {
  double statistic = 0;
  for (std::size_t i = 0; i < observed.size(); ++i)
    statistic += (observed[i] - expected[i]) * (observed[i] - expected[i]) / expected[i];
  return chi_square_tail(statistic, static_cast<double>(observed.size() - 1));
}

// The p-value of counts that should all be the same on average.
inline double uniform_p_value(std::span<const double> observed) {
  double total = 0;
  for (const double count : observed) total += count;
  const std::vector<double> expected(observed.size(), total / static_cast<double>(observed.size()));
  return chi_square_p_value(observed, expected);
}

// P(sqrt(n) * largest distance of two distribution functions > x), as n grows.
inline double kolmogorov_tail(double x) {
  double sum = 0;
  for (int k = 1; k < 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return std::min(sum, 1.0);
}

// The p-value of Kolmogorov and Smirnov's test that two samples have the same law; for laws with
// atoms it errs on the side of sameness.
inline double two_sample_p_value(std::vector<double> x, std::vector<double> y) {
  std::ranges::sort(x);
  std::ranges::sort(y);
  const auto m = static_cast<double>(x.size());
  const auto n = static_cast<double>(y.size());
  double distance = 0;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    const double step = std::min(x[i], y[j]);
    while (i < x.size() && x[i] == step) ++i;
    while (j < y.size() && y[j] == step) ++j;
    distance =
        std::max(distance, std::abs(static_cast<double>(i) / m - static_cast<double>(j) / n));
  }
  return kolmogorov_tail(distance * std::sqrt(m * n / (m + n)));
}

inline double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

inline double covariance(std::span<const double> x, std::span<const double> y) {
  const double x_mean = mean(x);
  const double y_mean = mean(y);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - x_mean) * (y[i] - y_mean);
  return sum / static_cast<double>(x.size() - 1);
}

inline double correlation(std::span<const double> x, std::span<const double> y) {
  return covariance(x, y) / std::sqrt(covariance(x, x) * covariance(y, y));
}

// The law of B(m, 1/2) on the outcomes within 9 standard deviations (what is left out is below
// 1e-18), by the exact ratios P(j + 1) / P(j) = (m - j) / (j + 1) from the mode, normalised by
// their sum.
class HalfBinomialLaw {
 public:
  explicit HalfBinomialLaw(std::uint64_t m) {
    const std::uint64_t mode = m / 2;
    const auto reach =
        static_cast<std::uint64_t>(std::ceil(4.5 * std::sqrt(static_cast<double>(m)))) + 1;
    first_ = mode > reach ? mode - reach : 0;
    const std::uint64_t last = std::min(m, mode + reach);
    probability_.resize(last - first_ + 1);
    probability_[mode - first_] = 1;
    for (std::uint64_t j = mode; j < last; ++j)
      probability_[j + 1 - first_] = probability_[j - first_] * static_cast<long double>(m - j) /
                                     static_cast<long double>(j + 1);
    for (std::uint64_t j = mode; j > first_; --j)
      probability_[j - 1 - first_] = probability_[j - first_] * static_cast<long double>(j) /
                                     static_cast<long double>(m - j + 1);
    long double sum = 0;
    for (const long double p : probability_) sum += p;
    for (long double& p : probability_) p /= sum;
  }

  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] std::uint64_t last() const { return first_ + probability_.size() - 1; }
  [[nodiscard]] long double operator[](std::uint64_t j) const { return probability_[j - first_]; }
  // P(X > x).
  [[nodiscard]] double above(double x) const {
    long double sum = 0;
    for (std::uint64_t j = last(); j + 1 > first_ && static_cast<double>(j) > x; --j)
      sum += (*this)[j];
    return static_cast<double>(sum);
  }

 private:
  std::uint64_t first_ = 0;
  std::vector<long double> probability_;
};

// Neighbouring outcomes pooled into bins that expect at least 20 of `draws` draws and are at least
// a 32nd of a standard deviation wide: some 300 bins whose outermost are the tails.
class HalfBinomialBins {
 public:
  HalfBinomialBins(std::uint64_t m, std::size_t draws) {
    const HalfBinomialLaw law(m);
    const double least_width = std::sqrt(static_cast<double>(m)) / 64;
    long double probability = 0;
    std::uint64_t begin = law.first();
    for (std::uint64_t j = law.first(); j <= law.last(); ++j) {
      probability += law[j];
      const double expected = static_cast<double>(probability) * static_cast<double>(draws);
      if (expected < 20 || static_cast<double>(j + 1 - begin) < least_width) continue;
      ends_.push_back(static_cast<double>(j));
      expected_.push_back(expected);
      probability = 0;
      begin = j + 1;
    }
    // The rest of the upper tail joins the last bin.
    expected_.back() += static_cast<double>(probability) * static_cast<double>(draws);
    observed_.resize(expected_.size());
  }

  void add(double x) {
    const auto end = std::lower_bound(ends_.begin(), ends_.end() - 1, x);
    ++observed_[static_cast<std::size_t>(end - ends_.begin())];
  }
  [[nodiscard]] std::size_t size() const { return expected_.size(); }
  [[nodiscard]] double p_value() const {
    return size() == 1 ? 1.0 : chi_square_p_value(observed_, expected_);
  }

 private:
  std::vector<double> ends_;  // the last outcome of each bin
  std::vector<double> expected_;
  std::vector<double> observed_;
};

}  // namespace phe::test
