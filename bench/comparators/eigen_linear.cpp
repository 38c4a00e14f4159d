#include "comparators/eigen_policy.hpp"

namespace phe::bench {

namespace {

// A Gram matrix kept up to date, and factorised whenever something is solved.
class EigenLinear : public EigenPolicy {
 public:
  EigenLinear(const Arms& arms, double ridge, double weight)
      : EigenPolicy(arms),
        gram_(ridge * MatrixXd::Identity(x_.cols(), x_.cols())),
        rewards_(VectorXd::Zero(x_.cols())),
        weight_(weight) {}

  Result<void> update(ArmId arm, double reward) override {
    gram_.selfadjointView<Eigen::Lower>().rankUpdate(x_.row(arm).transpose(), weight_);
    rewards_ += (weight_ * reward) * x_.row(arm).transpose();
    return EigenPolicy::update(arm, reward);
  }

 protected:
  MatrixXd gram_;     // lower triangle
  VectorXd rewards_;  // sum of weight * x * reward
  double weight_;
};

class EigenLinPhe final : public EigenLinear {
 public:
  EigenLinPhe(const Arms& arms, std::uint64_t /*rounds*/) : EigenLinear(arms, 2.0, 2.0) {}

  ArmId select(Rng& /*rng*/) override {
    if (starting()) return initial_arm();
    const VectorXd target = x_.transpose() * (reward_sums_ + pseudo_rewards());
    const VectorXd theta = gram_.llt().solve(target);
    return best(x_ * theta);
  }
};

class EigenLinTs final : public EigenLinear {
 public:
  EigenLinTs(const Arms& arms, std::uint64_t /*rounds*/) : EigenLinear(arms, 1.0, 4.0) {}

  ArmId select(Rng& /*rng*/) override {
    const Eigen::LLT<MatrixXd> factor(gram_);
    const VectorXd theta = factor.solve(rewards_) + factor.matrixU().solve(normals());
    return best(x_ * theta);
  }
};

class EigenLinUcb final : public EigenLinear {
 public:
  EigenLinUcb(const Arms& arms, std::uint64_t rounds) : EigenLinear(arms, 1.0, 4.0) {
    const auto d = static_cast<double>(x_.cols());
    const auto n = static_cast<double>(rounds);
    const double longest = x_.rowwise().squaredNorm().maxCoeff();
    width_ = std::sqrt(d) + 0.5 * std::sqrt(d * std::log((1.0 + n * longest) * n));
  }

  ArmId select(Rng& /*rng*/) override {
    const Eigen::LLT<MatrixXd> factor(gram_);
    const VectorXd theta = factor.solve(rewards_);
    // x^T G^-1 x = |L^-1 x|^2
    const MatrixXd half = factor.matrixL().solve(x_.transpose());
    return best(x_ * theta + width_ * half.colwise().norm().transpose());
  }

 private:
  double width_;
};

class EigenLinEps final : public EigenLinear {
 public:
  EigenLinEps(const Arms& arms, std::uint64_t rounds)
      : EigenLinear(arms, 1.0, 1.0), rounds_(static_cast<double>(rounds)) {}

  ArmId select(Rng& /*rng*/) override {
    const double epsilon = 0.025 * std::sqrt(rounds_ / static_cast<double>(round_ + 1));
    if (uniform_(engine_) < epsilon)
      return static_cast<ArmId>(engine_() % static_cast<std::uint64_t>(x_.rows()));
    const VectorXd theta = gram_.llt().solve(rewards_);
    return best(x_ * theta);
  }

 private:
  double rounds_;
  std::uniform_real_distribution<double> uniform_;
};

}  // namespace

std::vector<PolicyComparator> linear_comparators() {
  return {{"linphe", make_comparator<EigenLinPhe>},
          {"lints", make_comparator<EigenLinTs>},
          {"linucb", make_comparator<EigenLinUcb>},
          {"lineps", make_comparator<EigenLinEps>}};
}

}  // namespace phe::bench
