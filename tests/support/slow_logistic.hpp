// The logistic loss of Section 3.3 to the letter, in long doubles and on the full list of
// observations, and its minimiser by Newton's method from zero with halved steps.
#pragma once

#include <cmath>
#include <vector>

#include <Eigen/Dense>

namespace phe::test {

struct Observation {
  std::vector<double> x;
  double y = 0.0;       // 0 or 1, or anything between
  double weight = 1.0;  // how many such observations
};

class SlowLogistic {
 public:
  using Real = long double;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

  SlowLogistic(std::vector<Observation> observations, double ridge)
      : observations_(std::move(observations)), ridge_(ridge) {}

  // g(s, y) = -y log sigma(s) - (1 - y) log(1 - sigma(s)), summed, plus lambda |theta|^2.
  [[nodiscard]] Real loss(const Vector& theta) const {
    Real sum = ridge_ * theta.squaredNorm();
    for (const auto& [x, y, weight] : observations_) {
      const Real s = score(x, theta);
      // -log sigma(s) = log(1 + e^-s), written so that e never overflows.
      const Real log_sigma = s >= 0 ? -std::log1p(std::exp(-s)) : s - std::log1p(std::exp(s));
      sum -= weight * (y * log_sigma + (1 - y) * (log_sigma - s));
    }
    return sum;
  }

  [[nodiscard]] Vector gradient(const Vector& theta) const {
    Vector sum = 2 * ridge_ * theta;
    for (const auto& [x, y, weight] : observations_) {
      const Real s = score(x, theta);
      // sigma - y, from whichever tail is small.
      const Real e = std::exp(-std::abs(s));
      const Real residual = s >= 0 ? (1 - y) - e / (1 + e) : e / (1 + e) - y;
      for (Eigen::Index j = 0; j < sum.size(); ++j)
        sum[j] += weight * residual * x[static_cast<std::size_t>(j)];
    }
    return sum;
  }

  [[nodiscard]] Matrix hessian(const Vector& theta) const {
    const Eigen::Index d = theta.size();
    Matrix sum = 2 * ridge_ * Matrix::Identity(d, d);
    for (const auto& [x, y, weight] : observations_) {
      const Real e = std::exp(-std::abs(score(x, theta)));
      const Real slope = weight * e / ((1 + e) * (1 + e));
      for (Eigen::Index i = 0; i < d; ++i)
        for (Eigen::Index j = 0; j < d; ++j)
          sum(i, j) += slope * x[static_cast<std::size_t>(i)] * x[static_cast<std::size_t>(j)];
    }
    return sum;
  }

  [[nodiscard]] Vector minimise(std::size_t dimension) const {
    Vector theta = Vector::Zero(static_cast<Eigen::Index>(dimension));
    Real now = loss(theta);
    for (int step = 0; step < 10'000; ++step) {
      const Vector direction = hessian(theta).ldlt().solve(gradient(theta));
      Real length = 1;
      Real next = loss(theta - direction);
      while (!(next <= now) && length > 1e-12L) {
        length /= 2;
        next = loss(theta - length * direction);
      }
      theta -= length * direction;
      now = next;
      if (length * direction.norm() <= 1e-15L * (1e-300L + theta.norm())) break;
    }
    return theta;
  }

 private:
  [[nodiscard]] static Real score(const std::vector<double>& x, const Vector& theta) {
    Real sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += x[j] * theta[static_cast<Eigen::Index>(j)];
    return sum;
  }

  std::vector<Observation> observations_;
  Real ridge_;
};

}  // namespace phe::test
