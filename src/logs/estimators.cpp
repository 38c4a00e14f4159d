#include "logs/estimators.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace phe::logs {

namespace {

constexpr Estimator known_estimators[] = {
    {"ips", {}, ips, multiplicity},
    {"clipped", {}, clipped, multiplicity},
    {"snips", {}, ips, weight},
    {"dm", direct, {}, multiplicity},
    {"dr", direct, residual, multiplicity},
    {"sndr", direct, residual, weight},
    {"switch", direct, switched, multiplicity},
    {"dros", direct, shrunk, multiplicity},
};
constexpr std::size_t without_model = 3;

// Not a number where the log has no weight at all.
double ratio(const Row& means, Column numerator, Column denominator) {
  if (means[denominator] == 0.0) return std::numeric_limits<double>::quiet_NaN();
  return means[numerator] / means[denominator];
}

void add_gradient(const Row& means, Column numerator, Column denominator, Row& gradient) {
  if (means[denominator] == 0.0) return;
  gradient[numerator] += 1.0 / means[denominator];
  gradient[denominator] -= ratio(means, numerator, denominator) / means[denominator];
}

}  // namespace

Row columns_of(double w, double r, double c, const Modelled& model,
               const WeightLimits& limits) noexcept {
  const double left = r - model.logged;
  Row row{};
  row[multiplicity] = c;
  row[weight] = c * w;
  row[reward] = c * r;
  row[ips] = c * w * r;
  row[clipped] = c * std::min(w, limits.clip) * r;
  row[direct] = c * model.direct;
  row[residual] = c * w * left;
  row[switched] = w <= limits.switch_at ? row[residual] : 0.0;
  row[shrunk] = c * (limits.shrinkage * w / (w * w + limits.shrinkage)) * left;
  return row;
}

double Estimator::value(const Row& means) const noexcept {
  double sum = 0.0;
  if (direct) sum += ratio(means, *direct, multiplicity);
  if (correction) sum += ratio(means, *correction, denominator);
  return sum;
}

Row Estimator::gradient(const Row& means) const noexcept {
  Row gradient{};
  if (direct) add_gradient(means, *direct, multiplicity, gradient);
  if (correction) add_gradient(means, *correction, denominator, gradient);
  return gradient;
}

double Estimator::standard_error(const Moments& moments) const noexcept {
  return std::sqrt(moments.variance_of(gradient(moments.mean())) /
                   static_cast<double>(moments.count()));
}

std::span<const Estimator> estimators(bool with_model) noexcept {
  return with_model ? std::span(known_estimators)
                    : std::span(known_estimators).first(without_model);
}

}  // namespace phe::logs
