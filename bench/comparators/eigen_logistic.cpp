#include "comparators/eigen_policy.hpp"

namespace phe::bench {

namespace {

// Newton's method from the last estimate.
class EigenLogistic : public EigenPolicy {
 public:
  explicit EigenLogistic(const Arms& arms)
      : EigenPolicy(arms),
        theta_(VectorXd::Zero(x_.cols())),
        hessian_(MatrixXd::Identity(x_.cols(), x_.cols())) {}

 protected:
  // The maximum of sum_k (y_k log s_k + (n_k - y_k) log(1 - s_k)) - |theta|^2 / 2,
  // s_k = 1 / (1 + exp(-x_k^T theta)), to a gradient of 1e-8 * sum n.
  void fit(const VectorXd& n, const VectorXd& y) {
    const double tolerance = 1e-8 * n.sum();
    for (int step = 0; step < 100; ++step) {
      const Eigen::ArrayXd s = 1.0 / (1.0 + (-(x_ * theta_).array()).exp());
      const VectorXd gradient = x_.transpose() * (y.array() - n.array() * s).matrix() - theta_;
      const VectorXd weights = n.array() * s * (1.0 - s);
      hessian_ = MatrixXd::Identity(x_.cols(), x_.cols());
      hessian_.noalias() += x_.transpose() * weights.asDiagonal() * x_;
      if (gradient.norm() <= tolerance) return;
      theta_ += hessian_.llt().solve(gradient);
    }
  }

  VectorXd theta_;
  MatrixXd hessian_;
};

class EigenLogPhe final : public EigenLogistic {
 public:
  EigenLogPhe(const Arms& arms, std::uint64_t /*rounds*/) : EigenLogistic(arms) {}

  ArmId select(Rng& /*rng*/) override {
    if (starting()) return initial_arm();
    fit(2.0 * pulls_, reward_sums_ + pseudo_rewards());
    return best(x_ * theta_);
  }
};

class EigenLogTs final : public EigenLogistic {
 public:
  EigenLogTs(const Arms& arms, std::uint64_t /*rounds*/) : EigenLogistic(arms) {}

  ArmId select(Rng& /*rng*/) override {
    if (round_ == 0) return initial_arm();
    fit(pulls_, reward_sums_);
    const VectorXd theta = theta_ + hessian_.llt().matrixU().solve(normals());
    return best(x_ * theta);
  }
};

}  // namespace

std::vector<PolicyComparator> logistic_comparators() {
  return {{"logphe", make_comparator<EigenLogPhe>}, {"logts", make_comparator<EigenLogTs>}};
}

}  // namespace phe::bench
