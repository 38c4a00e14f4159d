// The loss of Section 3.3 to the letter, for three links, in long doubles and on the full list of
// observations, and its minimiser by Newton's method from zero with halved steps.
#pragma once

#include <cmath>
#include <vector>

#include <Eigen/Dense>

namespace phe::test {

struct Observation {
  std::vector<double> x;
  double y = 0.0;
  double weight = 1.0;  // how many such observations
};

// Of each link: the loss m(s) - y s of one observation, and mu - y, and mu'.
struct SlowLogit {
  using Real = long double;
  // -y log sigma(s) - (1 - y) log(1 - sigma(s)); -log sigma(s) = log(1 + e^-s), written so that e
  // never overflows.
  static Real loss(Real s, Real y) {
    const Real log_sigma = s >= 0 ? -std::log1p(std::exp(-s)) : s - std::log1p(std::exp(s));
    return -(y * log_sigma + (1 - y) * (log_sigma - s));
  }
  // From whichever tail is small.
  static Real residual(Real s, Real y) {
    const Real e = std::exp(-std::abs(s));
    return s >= 0 ? (1 - y) - e / (1 + e) : e / (1 + e) - y;
  }
  static Real slope(Real s) {
    const Real e = std::exp(-std::abs(s));
    return e / ((1 + e) * (1 + e));
  }
};

struct SlowLog {
  using Real = long double;
  static Real loss(Real s, Real y) { return std::exp(s) - y * s; }
  static Real residual(Real s, Real y) { return std::exp(s) - y; }
  static Real slope(Real s) { return std::exp(s); }
};

struct SlowIdentity {
  using Real = long double;
  static Real loss(Real s, Real y) { return s * s / 2 - y * s; }
  static Real residual(Real s, Real y) { return s - y; }
  static Real slope(Real /*s*/) { return 1; }
};

template <class Link>
class SlowGlm {
 public:
  using Real = long double;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

  SlowGlm(std::vector<Observation> observations, double ridge)
      : observations_(std::move(observations)), ridge_(ridge) {}

  [[nodiscard]] Real loss(const Vector& theta) const {
    Real sum = ridge_ * theta.squaredNorm();
    for (const auto& [x, y, weight] : observations_) sum += weight * Link::loss(score(x, theta), y);
    return sum;
  }

  [[nodiscard]] Vector gradient(const Vector& theta) const {
    Vector sum = 2 * ridge_ * theta;
    for (const auto& [x, y, weight] : observations_) {
      const Real residual = Link::residual(score(x, theta), y);
      for (Eigen::Index j = 0; j < sum.size(); ++j)
        sum[j] += weight * residual * x[static_cast<std::size_t>(j)];
    }
    return sum;
  }

  [[nodiscard]] Matrix hessian(const Vector& theta) const {
    const Eigen::Index d = theta.size();
    Matrix sum = 2 * ridge_ * Matrix::Identity(d, d);
    for (const auto& [x, y, weight] : observations_) {
      const Real slope = weight * Link::slope(score(x, theta));
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

using SlowLogistic = SlowGlm<SlowLogit>;
using SlowPoisson = SlowGlm<SlowLog>;

}  // namespace phe::test
