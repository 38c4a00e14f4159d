#include <cmath>
#include <random>

#include <Eigen/Dense>

#include "comparators/comparators.hpp"

namespace phe::bench {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows =
    Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// A Gram matrix kept up to date, and factorised whenever something is solved.
class EigenContexts : public ContextPolicy {
 public:
  EigenContexts(std::size_t dimension, double ridge, double weight)
      : d_(static_cast<Eigen::Index>(dimension)),
        gram_(ridge * MatrixXd::Identity(d_, d_)),
        rewards_(VectorXd::Zero(d_)),
        weight_(weight) {}

  void update(std::span<const double> features, double reward) override {
    const auto x = vector(features);
    gram_.selfadjointView<Eigen::Lower>().rankUpdate(x, weight_);
    rewards_ += (weight_ * reward) * x;
    ++round_;
  }

 protected:
  [[nodiscard]] Eigen::Map<const VectorXd> vector(std::span<const double> features) const {
    return {features.data(), d_};
  }
  [[nodiscard]] Rows rows(std::span<const double> features) const {
    return {features.data(), static_cast<Eigen::Index>(features.size()) / d_, d_};
  }
  template <class Scores>
  static std::size_t best(const Scores& scores) {
    Eigen::Index action = 0;
    scores.maxCoeff(&action);
    return static_cast<std::size_t>(action);
  }
  VectorXd normals() {
    return VectorXd::NullaryExpr(d_, [this] { return normal_(engine_); });
  }

  Eigen::Index d_;
  MatrixXd gram_;     // lower triangle
  VectorXd rewards_;  // sum of weight * x * reward
  double weight_;
  Eigen::Index round_ = 0;
  std::mt19937_64 engine_{1};
  std::normal_distribution<double> normal_;
};

// a = 1. The last 1,024 rows get a coin flip each; the older ones are a Gaussian with the same mean
// and covariance, and so is the perturbed prior.
class EigenLinPhe final : public EigenContexts {
 public:
  EigenLinPhe(std::size_t dimension, std::uint64_t /*rounds*/)
      : EigenContexts(dimension, 2.0, 2.0),
        recent_(MatrixXd::Zero(d_, memory)),
        flips_(memory),
        old_mean_(VectorXd::Zero(d_)),
        old_covariance_(0.25 * MatrixXd::Identity(d_, d_)) {}

  std::size_t select(std::span<const double> features) override {
    draw_flips();
    VectorXd target = 0.5 * rewards_ + old_mean_;
    target += recent_ * flips_;
    target += old_covariance_.llt().matrixL() * normals();
    const VectorXd theta = gram_.llt().solve(target);
    return best(rows(features) * theta);
  }

  void update(std::span<const double> features, double reward) override {
    auto place = recent_.col(round_ % memory);
    if (round_ >= memory) {
      old_mean_ += 0.5 * place;
      old_covariance_.selfadjointView<Eigen::Lower>().rankUpdate(place, 0.25);
    }
    place = vector(features);
    EigenContexts::update(features, reward);
  }

 private:
  static constexpr Eigen::Index memory = 1024;

  // A bit of a word each.
  void draw_flips() {
    for (Eigen::Index i = 0; i < memory; i += 64) {
      const std::uint64_t word = engine_();
      for (Eigen::Index bit = 0; bit < 64; ++bit)
        flips_[i + bit] = static_cast<double>(word >> bit & 1);
    }
  }

  MatrixXd recent_;  // a column a row of the history; zero where there is none yet
  VectorXd flips_;
  VectorXd old_mean_;
  MatrixXd old_covariance_;  // lower triangle
};

class EigenLinTs final : public EigenContexts {
 public:
  EigenLinTs(std::size_t dimension, std::uint64_t /*rounds*/)
      : EigenContexts(dimension, 1.0, 4.0) {}

  std::size_t select(std::span<const double> features) override {
    const Eigen::LLT<MatrixXd> factor(gram_);
    const VectorXd theta = factor.solve(rewards_) + factor.matrixU().solve(normals());
    return best(rows(features) * theta);
  }
};

class EigenLinUcb final : public EigenContexts {
 public:
  EigenLinUcb(std::size_t dimension, std::uint64_t /*rounds*/)
      : EigenContexts(dimension, 1.0, 1.0) {}

  std::size_t select(std::span<const double> features) override {
    const Eigen::LLT<MatrixXd> factor(gram_);
    const auto x = rows(features);
    const VectorXd theta = factor.solve(rewards_);
    // x^T G^-1 x = |L^-1 x|^2
    const MatrixXd half = factor.matrixL().solve(x.transpose());
    return best(x * theta + half.colwise().norm().transpose());
  }
};

class EigenLinEps final : public EigenContexts {
 public:
  EigenLinEps(std::size_t dimension, std::uint64_t rounds)
      : EigenContexts(dimension, 1.0, 1.0), rounds_(static_cast<double>(rounds)) {}

  std::size_t select(std::span<const double> features) override {
    const auto x = rows(features);
    const double epsilon = 0.025 * std::sqrt(rounds_ / static_cast<double>(round_ + 1));
    if (uniform_(engine_) < epsilon) return engine_() % static_cast<std::uint64_t>(x.rows());
    const VectorXd theta = gram_.llt().solve(rewards_);
    return best(x * theta);
  }

 private:
  double rounds_;
  std::uniform_real_distribution<double> uniform_;
};

template <class T>
std::unique_ptr<ContextPolicy> make(std::size_t dimension, std::uint64_t rounds) {
  return std::make_unique<T>(dimension, rounds);
}

}  // namespace

std::vector<ContextComparator> context_comparators() {
  return {{"linphe", make<EigenLinPhe>},
          {"lints", make<EigenLinTs>},
          {"linucb", make<EigenLinUcb>},
          {"lineps", make<EigenLinEps>}};
}

}  // namespace phe::bench
