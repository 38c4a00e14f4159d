// The slow, obvious side of the logistic twin tests: all rewards in a list, fitted from scratch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/arms.hpp"
#include "support/slow_glm.hpp"

namespace phe::test {

class RewardList {
 public:
  explicit RewardList(Arms arms) : arms_(std::move(arms)) {}

  void add(ArmId arm, double reward) {
    std::vector<double> row(arms_.dimension());
    arms_.copy_row(arm, row);
    list_.push_back({row, reward});
  }
  [[nodiscard]] SlowLogistic model(double ridge) const { return {list_, ridge}; }
  [[nodiscard]] SlowLogistic::Vector estimate(double ridge) const {
    return model(ridge).minimise(arms_.dimension());
  }
  [[nodiscard]] double score(ArmId arm, const SlowLogistic::Vector& theta) const {
    return static_cast<double>(row_of(arms_, arm).cast<long double>().dot(theta));
  }
  // |x|_{G^-1}, G = ridge I + sum x x^T.
  [[nodiscard]] double width(ArmId arm, double ridge) const {
    const auto d = static_cast<Eigen::Index>(arms_.dimension());
    Eigen::MatrixXd gram = ridge * Eigen::MatrixXd::Identity(d, d);
    for (const Observation& one : list_) {
      const Eigen::Map<const Eigen::VectorXd> x(one.x.data(), d);
      gram += x * x.transpose();
    }
    const Eigen::VectorXd x = row_of(arms_, arm);
    return std::sqrt(x.dot(gram.ldlt().solve(x)));
  }

 private:
  Arms arms_;
  std::vector<Observation> list_;
};

// A reward, 0 or 1, that depends on arm and round only.
inline double coin_reward(ArmId arm, std::uint64_t round) {
  SplitMix words(StreamKey(7).with(round).with(std::uint64_t{arm}));
  return to_unit(words()) < 0.2 + 0.05 * (arm % 10) ? 1.0 : 0.0;
}

}  // namespace phe::test
