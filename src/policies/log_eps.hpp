// LogEps: the epsilon-greedy policy with a logistic model. In round t it takes any action with
// probability epsilon_t, else
//
//   argmax_i x_i^T theta-hat,   theta-hat the regularised estimate of Section 3.3.
//
// Schedules are those of LinEps.
#pragma once

#include <cstdint>

#include "policies/epsilon_schedule.hpp"
#include "policies/logistic_learner.hpp"

namespace phe {

struct LogEpsOptions {
  double epsilon = 0.05;
  EpsilonSchedule schedule = EpsilonSchedule::authors;
  double ridge = 0.5;             // lambda
  std::uint64_t rounds = 10'000;  // n, for the schedule `authors`
};

class LogEps final : public LogisticLearner {
 public:
  static Result<LogEps> create(const Arms& arms, const LogEpsOptions& options = {});

  [[nodiscard]] std::unique_ptr<Learner> clone() const override {
    return std::make_unique<LogEps>(*this);
  }
  [[nodiscard]] std::string_view name() const noexcept override { return "logeps"; }
  [[nodiscard]] double exploration(std::uint64_t round) const noexcept override;
  ArmId choose(Offered& offered, Rng& rng) override;
  bool probabilities(Offered& offered, std::span<double> of_each) override;
  [[nodiscard]] bool certain() const noexcept override { return true; }
  std::span<const double> draw(Rng& rng) override;
  void identify(Archive& archive) override;

 private:
  LogEps(const Arms& arms, const LogEpsOptions& options)
      : LogisticLearner(arms, options.ridge), options_(options) {}

  LogEpsOptions options_;
};

}  // namespace phe
