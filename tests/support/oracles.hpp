// Oracles for tests: ridge regression, which makes LinPHE of OraclePhe, and one that misbehaves as
// it is told.
#pragma once

#include <limits>
#include <stdexcept>
#include <vector>

#include <Eigen/Dense>

#include "phe/oracle.hpp"

namespace phe::test {

// theta = (sum w x x^T + ridge I)^-1 sum x (V + U), by a dense solve. `replicated`: from examples
// that count once each.
class RidgeOracle final : public Oracle {
 public:
  explicit RidgeOracle(double ridge, bool replicated = false, Eigen::VectorXd* theta = nullptr)
      : ridge_(ridge), replicated_(replicated), shown_(theta) {}

  Result<void> fit(const PerturbedRows& rows, Rng&) override {
    const auto d = static_cast<Eigen::Index>(rows.dimension());
    gram_ = ridge_ * Eigen::MatrixXd::Identity(d, d);
    target_ = Eigen::VectorXd::Zero(d);
    if (replicated_) {
      std::vector<Example> examples;
      replicate(rows, examples);
      for (const Example& example : examples) add(example.features, 1.0, example.value);
    } else {
      for (std::size_t i = 0; i < rows.size(); ++i)
        add(rows[i].features, rows[i].weight, rows[i].perturbed_sum);
    }
    theta_ = gram_.ldlt().solve(target_);
    if (shown_ != nullptr) *shown_ = theta_;
    return {};
  }
  Result<void> score(const Actions& actions, std::vector<double>& scores) override {
    const auto d = theta_.size();
    for (std::size_t k = 0; k < actions.count; ++k)
      scores.push_back(theta_.dot(Eigen::Map<const Eigen::VectorXd>(
          actions.features.data() + k * static_cast<std::size_t>(d), d)));
    return {};
  }

 private:
  void add(std::span<const double> features, double weight, double sum) {
    const Eigen::Map<const Eigen::VectorXd> x(features.data(), gram_.rows());
    gram_ += weight * x * x.transpose();
    target_ += sum * x;
  }

  double ridge_;
  bool replicated_;
  Eigen::VectorXd* shown_;
  Eigen::MatrixXd gram_;
  Eigen::VectorXd target_, theta_;
};

// What an oracle does wrong, and how often it was asked.
struct Conduct {
  enum class Fault {
    none,
    fit_throws,
    fit_throws_a_number,
    fit_fails,
    score_throws,
    score_fails,
    nan,
    infinite,
    too_few,
    too_many
  };
  Fault fault = Fault::none;
  int made = 0;
  int fits = 0;
  std::vector<std::uint64_t> rows;     // of each fit
  std::vector<double> perturbed_sums;  // of the last fit
};

// Scores an action by its first feature, plus what the first perturbed row has beyond its mean.
class ConductedOracle final : public Oracle {
 public:
  explicit ConductedOracle(Conduct& conduct) : conduct_(conduct) { ++conduct.made; }

  Result<void> fit(const PerturbedRows& rows, Rng&) override {
    using enum Conduct::Fault;
    if (conduct_.fault == fit_throws) throw std::runtime_error("out of luck");
    if (conduct_.fault == fit_throws_a_number) throw 7;
    if (conduct_.fault == fit_fails) return Error{"no fit today"};
    ++conduct_.fits;
    std::uint64_t total = 0;
    conduct_.perturbed_sums.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      total += rows[i].count;
      conduct_.perturbed_sums.push_back(rows[i].perturbed_sum);
    }
    conduct_.rows.push_back(total);
    sign_ = rows[0].perturbed_sum - rows[0].reward_sum >
                    0.5 * (rows[0].weight - static_cast<double>(rows[0].count))
                ? 1.0
                : -1.0;
    return {};
  }
  Result<void> score(const Actions& actions, std::vector<double>& scores) override {
    using enum Conduct::Fault;
    if (conduct_.fault == score_throws) throw std::runtime_error("out of luck");
    if (conduct_.fault == score_fails) return Error{"no score today"};
    const std::size_t d = actions.features.size() / actions.count;
    for (std::size_t k = 0; k < actions.count; ++k)
      scores.push_back(sign_ * actions.features[k * d]);
    if (conduct_.fault == nan) scores.back() = std::numeric_limits<double>::quiet_NaN();
    if (conduct_.fault == infinite) scores.front() = std::numeric_limits<double>::infinity();
    if (conduct_.fault == too_few) scores.pop_back();
    if (conduct_.fault == too_many) scores.push_back(0.0);
    return {};
  }

 private:
  Conduct& conduct_;
  double sign_ = 1.0;
};

}  // namespace phe::test
