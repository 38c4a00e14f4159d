// LogisticLearner: the logistic model of the rewards so far; what the logistic policies share.
//
//   theta-hat = argmin sum [log(1 + exp(x^T theta)) - y x^T theta] + ridge |theta|^2,
//
// the maximum a posteriori under the prior N(0, I / (2 ridge)). Not thread-safe.
#pragma once

#include <span>
#include <vector>

#include "models/logistic.hpp"
#include "policies/learner.hpp"

namespace phe {

class LogisticLearner : public ThetaLearner {
 public:
  [[nodiscard]] Rows& rows() noexcept override { return model_.rows(); }
  [[nodiscard]] bool keeps_rows() const noexcept override { return true; }
  [[nodiscard]] bool binary_rewards() const noexcept override { return true; }
  void observe(const Observation& observation) override;
  void persist(Archive& archive) override;
  void merge(const Learner& other) override;

  [[nodiscard]] const LogisticModel& model() const noexcept { return model_; }
  [[nodiscard]] std::span<const double> estimate() const noexcept { return theta_; }
  std::span<const double> theta() override { return theta_; }
  [[nodiscard]] const LogisticFit& last_fit() const noexcept { return last_fit_; }

 protected:
  static Result<void> check(std::string_view who, const Arms& arms, double ridge) {
    return LogisticModel::check(who, arms, ridge);
  }
  // Precondition: check(..) is ok.
  LogisticLearner(const Arms& arms, double ridge)
      : model_(arms.dimension(), ridge, arms.size()),
        theta_(arms.dimension()),
        successes_(arms.view().stride),
        scores_(arms.view().stride) {}

  // The theta of a target b, converged; theta-hat for the expected one.
  std::span<const double> fit(std::span<const double> target);
  std::span<const double> fit() { return fit(model_.expected_target()); }
  // The best action of a fit to `target` that is only as exact as that needs.
  ArmId choose_certainly(std::span<const double> target, Offered& offered, Rng& rng);
  // The scores of such a fit, padded: the best are those of a converged one.
  std::span<const double> certain_scores(std::span<const double> target, Offered& offered);
  // Work space, as many entries as are offered, padded.
  std::span<double> scores(const Offered& offered);
  void count(const Observation& observation);
  // T_i.
  [[nodiscard]] virtual std::uint64_t pulls(RowId row) const noexcept {
    return static_cast<std::uint64_t>(model_.total(row));
  }

  LogisticModel model_;
  std::vector<double> theta_;
  LogisticFit last_fit_;
  std::vector<double> successes_;  // V_i, by row; pulls are the model's

 private:
  std::vector<double> scores_;
};

}  // namespace phe
