// LinEps: the epsilon-greedy policy with a linear model (Sutton & Barto 1998; Auer, Cesa-Bianchi &
// Fischer 2002). In round t it takes any action with probability epsilon_t, else
//
//   argmax_i x_i^T theta-hat,   theta-hat = (ridge I + sum x x^T)^-1 sum x y.
//
// With epsilon = 0 it is the greedy policy. It may start with one pull of each arm of a basis, as
// LinPHE does: without that, a greedy policy stays with the first arm that pays.
#pragma once

#include <cstdint>

#include "models/linear_model.hpp"
#include "policies/epsilon_schedule.hpp"
#include "policies/learner.hpp"

namespace phe {

struct LinEpsOptions {
  double epsilon = 0.05;
  EpsilonSchedule schedule = EpsilonSchedule::authors;
  double ridge = 1.0;             // lambda
  std::uint64_t rounds = 10'000;  // n, for the schedule `authors`
};

class LinEps final : public ThetaLearner {
 public:
  static Result<LinEps> create(const Arms& arms, const LinEpsOptions& options = {});
  // Never explores: epsilon and schedule of the options are not used.
  static Result<LinEps> greedy(const Arms& arms, const LinEpsOptions& options = {});

  [[nodiscard]] std::unique_ptr<Learner> clone() const override {
    return std::make_unique<LinEps>(*this);
  }
  [[nodiscard]] std::string_view name() const noexcept override { return name_; }
  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  [[nodiscard]] bool weighable() const noexcept override { return true; }
  void observe(const Observation& observation) override;
  [[nodiscard]] double exploration(std::uint64_t round) const noexcept override {
    return epsilon(options_, round);
  }
  bool probabilities(Offered& offered, std::span<double> of_each) override;
  [[nodiscard]] bool certain() const noexcept override { return true; }
  std::span<const double> draw(Rng& rng) override;
  void identify(Archive& archive) override;
  void persist(Archive& archive) override;
  void merge(const Learner& other) override;

  // epsilon_t, t from 1, cut off at 1.
  [[nodiscard]] static double epsilon(const LinEpsOptions& options, std::uint64_t round) noexcept;

 private:
  LinEps(std::size_t dimension, const LinEpsOptions& options, std::string_view name);

  LinEpsOptions options_;
  Rows rows_;
  LinearModel model_;
  std::string_view name_;
};

}  // namespace phe
