// The slow, obvious side of the twin tests: ridge regression in dense code, solved from scratch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <Eigen/Dense>

#include "phe/arms.hpp"
#include "phe/rng.hpp"
#include "support/arms.hpp"

namespace phe::test {

struct DenseRidge {
  Eigen::MatrixXd gram;
  Eigen::VectorXd target;

  DenseRidge(std::size_t dimension, double ridge)
      : gram(ridge * Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(dimension),
                                               static_cast<Eigen::Index>(dimension))),
        target(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dimension))) {}

  void add(const Eigen::VectorXd& x, double reward, double weight = 1.0) {
    gram += weight * x * x.transpose();
    target += weight * reward * x;
  }
  [[nodiscard]] Eigen::VectorXd estimate() const { return gram.ldlt().solve(target); }
  [[nodiscard]] double squared_width(const Eigen::VectorXd& x) const {
    return x.dot(gram.ldlt().solve(x));
  }
};

inline std::vector<double> dense_scores(const Arms& arms, const Eigen::VectorXd& theta) {
  std::vector<double> scores(arms.size());
  for (ArmId arm = 0; arm < arms.size(); ++arm) scores[arm] = row_of(arms, arm).dot(theta);
  return scores;
}

// The best arm; among exact ties the one that the generator picks.
inline ArmId dense_best(const std::vector<double>& scores, Rng& rng) {
  const double best = *std::max_element(scores.begin(), scores.end());
  std::vector<ArmId> ties;
  for (std::size_t k = 0; k < scores.size(); ++k)
    if (scores[k] == best) ties.push_back(static_cast<ArmId>(k));
  return ties.size() == 1 ? ties[0] : ties[rng.below(ties.size())];
}

// A reward in [0, 1] that depends on arm and round only: 0 or 1, or anything between.
inline double coin(ArmId arm, std::uint64_t round) {
  SplitMix words(StreamKey(7).with(round).with(std::uint64_t{arm}));
  return to_unit(words()) < 0.2 + 0.05 * (arm % 10) ? 1.0 : 0.0;
}
inline double fraction(ArmId arm, std::uint64_t round) {
  SplitMix words(StreamKey(8).with(round).with(std::uint64_t{arm}));
  return to_unit(words());
}

}  // namespace phe::test
