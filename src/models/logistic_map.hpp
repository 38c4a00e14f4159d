// LogisticMap: the logistic model of the rewards so far, and the scores of all arms under it.
//
//   theta-hat = argmin sum [log(1 + exp(x^T theta)) - y x^T theta] + ridge |theta|^2,
//
// the maximum a posteriori under the prior N(0, I / (2 ridge)). The logistic policies differ in
// what they add to it; this is what they share. Not thread-safe.
#pragma once

#include <span>
#include <vector>

#include "phe/logistic.hpp"

namespace phe {

class LogisticMap {
 public:
  // Precondition: LogisticModel::check(..) is ok.
  LogisticMap(const Arms& arms, double ridge);

  // Precondition: reward is 0 or 1.
  void learn(ArmId arm, double reward) noexcept { model_.add(arm, 1.0, reward); }

  // theta-hat; valid until the next call.
  std::span<const double> fit() noexcept;
  // A draw from N(theta-hat, H^-1), H the Hessian there (Laplace's approximation of the posterior),
  // made from d standard normal numbers.
  std::span<const double> sample(std::span<const double> normals) noexcept;
  // The score of every arm under `theta`, padded with -infinity; valid until the next call.
  std::span<const double> score(std::span<const double> theta) noexcept;

  // Scores under a theta close enough to theta-hat for the best arm to be the same.
  std::span<const double> greedy_scores() noexcept;

  [[nodiscard]] const Arms& arms() const noexcept { return model_.arms(); }
  [[nodiscard]] const LogisticModel& model() const noexcept { return model_; }

 private:
  LogisticModel model_;
  std::vector<double> theta_;
  std::vector<double> scores_;
};

}  // namespace phe
