// The reward models to the letter, and the terms of every row that follow from them.
#pragma once

#include <functional>
#include <vector>

#include <Eigen/Dense>

#include "logs/slow_estimators.hpp"

namespace phe::test {

// A row of a log as plain numbers; x is the design row of a regression.
struct SlowDecision {
  std::size_t action = 0;
  std::size_t slot = 0;
  double reward = 0.0;
  double propensity = 1.0;
  std::vector<double> x;
  std::vector<double> target;  // P(each action)
};
using SlowLog = std::vector<SlowDecision>;

// The reward of `action` on the page of `where`, by the model fitted to the rows of `training`.
using SlowModel =
    std::function<double(const SlowLog& training, const SlowDecision& where, std::size_t action)>;

inline double table_reward(const SlowLog& training, const SlowDecision& where, std::size_t action) {
  double rewards = 0.0;
  double count = 0.0;
  for (const SlowDecision& row : training)
    if (row.action == action && row.slot == where.slot) {
      rewards += row.reward;
      count += 1.0;
    }
  return rewards / (count + 1.0);
}

inline double ridge_reward(const SlowLog& training, const SlowDecision& where, std::size_t action) {
  const auto d = static_cast<Eigen::Index>(where.x.size());
  Eigen::MatrixXd gram = Eigen::MatrixXd::Identity(d, d);
  Eigen::VectorXd moment = Eigen::VectorXd::Zero(d);
  for (const SlowDecision& row : training)
    if (row.action == action) {
      const Eigen::Map<const Eigen::VectorXd> x(row.x.data(), d);
      gram += x * x.transpose();
      moment += row.reward * x;
    }
  return Eigen::Map<const Eigen::VectorXd>(where.x.data(), d).dot(gram.ldlt().solve(moment));
}

// With two folds row t is predicted by the model of the rows of the other parity.
inline Rows slow_rows(const SlowLog& log, const SlowModel& model, bool two_folds) {
  SlowLog even;
  SlowLog odd;
  for (std::size_t t = 0; t < log.size(); ++t) (t % 2 == 0 ? even : odd).push_back(log[t]);
  Rows rows;
  for (std::size_t t = 0; t < log.size(); ++t) {
    const SlowLog& training = !two_folds ? log : t % 2 == 0 ? odd : even;
    const SlowDecision& d = log[t];
    LoggedRow row{d.target[d.action] / d.propensity, d.reward, 0.0, model(training, d, d.action)};
    for (std::size_t a = 0; a < d.target.size(); ++a) row.dm += d.target[a] * model(training, d, a);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace phe::test
