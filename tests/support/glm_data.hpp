// A generalised linear model, its counts by row, and the same data for the slow solver.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "models/glm.hpp"
#include "support/arms.hpp"
#include "support/slow_glm.hpp"

namespace phe::test {

template <class Link>
using SlowOf = SlowGlm<
    std::conditional_t<std::is_same_v<Link, LogitLink>, SlowLogit,
                       std::conditional_t<std::is_same_v<Link, LogLink>, SlowLog, SlowIdentity>>>;

template <class Link>
class GlmData {
 public:
  using Slow = SlowOf<Link>;

  // Rewards are at most `largest`.
  GlmData(Arms arms, double ridge, double largest = 1.0)
      : arms_(std::move(arms)),
        ridge_(ridge),
        offered_(arms_),
        largest_(largest),
        model_(arms_.dimension(), ridge, arms_.size(), largest),
        row_(arms_.size(), none),
        totals_(arms_.size()),
        positives_(arms_.size()) {}

  void add(ArmId arm, double total, double positive) {
    model_.add(row(arm), total, positive);
    totals_[arm] += total;
    positives_[arm] += positive;
  }

  // The model's row of an arm.
  RowId row(ArmId arm) {
    if (row_[arm] == none) {
      std::vector<double> x(arms_.dimension());
      arms_.copy_row(arm, x);
      row_[arm] = model_.rows().append(x);
    }
    return row_[arm];
  }

  // sum_i x_i P_i.
  [[nodiscard]] std::vector<double> target(const std::vector<double>& positives) const {
    std::vector<double> sum(arms_.dimension());
    for (ArmId arm = 0; arm < arms_.size(); ++arm)
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += positives[arm] * arms_.at(arm, j);
    return sum;
  }
  [[nodiscard]] Slow slow(const std::vector<double>& positives) const {
    std::vector<Observation> list;
    for (ArmId arm = 0; arm < arms_.size(); ++arm) {
      if (totals_[arm] == 0) continue;
      Observation one{std::vector<double>(arms_.dimension()), 0.0, totals_[arm]};
      arms_.copy_row(arm, one.x);
      one.y = positives[arm] / one.weight;
      list.push_back(one);
    }
    return {list, ridge_};
  }
  // |gradient| / (M sum_i N_i max_j |x_ij|), in long doubles.
  [[nodiscard]] double relative_gradient(const std::vector<double>& positives,
                                         const std::vector<double>& theta) const {
    double scale = 0.0;
    for (ArmId arm = 0; arm < arms_.size(); ++arm) {
      double largest = 0.0;
      for (std::size_t j = 0; j < arms_.dimension(); ++j)
        largest = std::max(largest, std::abs(arms_.at(arm, j)));
      scale += largest * totals_[arm];
    }
    const typename Slow::Vector point =
        Eigen::Map<const Eigen::VectorXd>(theta.data(), static_cast<Eigen::Index>(theta.size()))
            .cast<long double>();
    return static_cast<double>(slow(positives).gradient(point).norm()) / (largest_ * scale);
  }
  [[nodiscard]] std::size_t padded() const { return arms_.view().stride; }
  [[nodiscard]] std::vector<double> zero() const { return std::vector<double>(arms_.dimension()); }
  GlmModel<Link>& model() { return model_; }
  [[nodiscard]] const Offered& offered() const { return offered_; }
  [[nodiscard]] const std::vector<double>& positives() const { return positives_; }
  [[nodiscard]] const std::vector<double>& totals() const { return totals_; }
  [[nodiscard]] const Arms& arms() const { return arms_; }

 private:
  Arms arms_;
  static constexpr RowId none = ~RowId{0};

  double ridge_;
  Offered offered_;
  double largest_;
  GlmModel<Link> model_;
  std::vector<RowId> row_;
  std::vector<double> totals_;
  std::vector<double> positives_;
};

}  // namespace phe::test
