// GlmLearner: the generalised linear model of the rewards so far; what the policies over it share.
//
//   theta-hat = argmin sum [m(x^T theta) - y x^T theta] + ridge |theta|^2,   m' = mu,
//
// with the logit or the log link (models/links.hpp): the maximum a posteriori under the prior
// N(0, I / (2 ridge)), of rewards in [0, 1] and of counts in [0, M]. Not thread-safe.
#pragma once

#include <span>
#include <vector>

#include "models/glm.hpp"
#include "phe/policy.hpp"
#include "policies/learner.hpp"

namespace phe {

template <class Link>
class GlmLearner : public ThetaLearner {
 public:
  [[nodiscard]] Rows& rows() noexcept override { return model_.rows(); }
  [[nodiscard]] bool keeps_rows() const noexcept override { return true; }
  void observe(const Observation& observation) override;
  void persist(Archive& archive) override;
  void merge(const Learner& other) override;

  [[nodiscard]] const GlmModel<Link>& model() const noexcept { return model_; }
  [[nodiscard]] std::span<const double> estimate() const noexcept { return theta_; }
  std::span<const double> theta() override { return theta_; }
  [[nodiscard]] const GlmFit& last_fit() const noexcept { return last_fit_; }

 protected:
  static Result<void> check(std::string_view who, const Arms& arms, double ridge,
                            const RewardRange& rewards = {});
  // Precondition: check(..) is ok.
  GlmLearner(const Arms& arms, double ridge, const RewardRange& rewards = {});

  // A sum of rewards that were mapped to [0, 1], as the model counts them: times M with a log link.
  [[nodiscard]] double in_units(double unit_sum) const noexcept {
    return Link::unit_rewards ? unit_sum : largest_reward_ * unit_sum;
  }
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

  double largest_reward_;
  GlmModel<Link> model_;
  std::vector<double> theta_;
  GlmFit last_fit_;
  std::vector<double> reward_sums_;  // V_i of rewards in [0, 1], by row; pulls are the model's

 private:
  std::vector<double> scores_;
};

using LogisticLearner = GlmLearner<LogitLink>;

}  // namespace phe
