// The two classical indices of a multi-armed bandit, with t the present round, T_i the pulls of an
// arm and m_i their mean. An arm never pulled comes first.
//
//   Ucb1   m_i + sqrt(width ln t / T_i)  (Auer, Cesa-Bianchi & Fischer 2002, with width = 2)
//   KlUcb  the largest q with T_i kl(m_i, q) <= ln t + c ln ln t, kl of Bernoulli laws (Garivier &
//          Cappe 2011): its regret meets the bound of Lai and Robbins where rewards are 0 or 1
#pragma once

#include <vector>

#include "policies/arm_sums.hpp"
#include "policies/configured.hpp"

namespace phe {

// Pulls the arm with the highest index.
class IndexLearner : public Learner {
 public:
  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  void observe(const Observation& observation) override { sums_.add(observation); }
  ArmId choose(Offered& offered, Rng& rng) override;
  bool probabilities(Offered& offered, std::span<double> of_each) override;
  double score(std::span<const double> /*x*/, Rng& /*rng*/) override { return 0.0; }
  [[nodiscard]] bool certain() const noexcept override { return true; }
  void persist(Archive& archive) override { sums_.persist(archive); }
  void merge(const Learner& /*other*/) override {}  // arms are fixed, and merged by their history

 protected:
  explicit IndexLearner(const Arms& arms);
  // Of an arm that was pulled; log_round = ln t.
  [[nodiscard]] virtual double index(double mean, double pulls,
                                     double log_round) const noexcept = 0;

 private:
  void compute_indices() noexcept;

  Rows rows_;
  ArmSums sums_;
  std::vector<double> indices_;  // padded for best_arm
};

struct Ucb1Options {
  double width = 2.0;
};

class Ucb1 final : public Configured<Ucb1, Ucb1Options, IndexLearner> {
 public:
  static const Keys<Ucb1Options>& keys();
  static Result<void> check(const Arms&, const Ucb1Options&) { return {}; }
  Ucb1(const Arms& arms, const Ucb1Options& options) : Configured(options, arms) {}

 private:
  [[nodiscard]] double index(double mean, double pulls, double log_round) const noexcept override;
};

struct KlUcbOptions {
  double c = 0.0;
};

class KlUcb final : public Configured<KlUcb, KlUcbOptions, IndexLearner> {
 public:
  static const Keys<KlUcbOptions>& keys();
  static Result<void> check(const Arms&, const KlUcbOptions&) { return {}; }
  KlUcb(const Arms& arms, const KlUcbOptions& options) : Configured(options, arms) {}

 private:
  [[nodiscard]] double index(double mean, double pulls, double log_round) const noexcept override;
};

// kl(p, q) = p ln(p / q) + (1 - p) ln((1 - p) / (1 - q)) of Bernoulli laws, with 0 ln 0 = 0.
// Precondition: p in [0, 1], q in (0, 1).
double bernoulli_divergence(double p, double q) noexcept;
// The largest q in [p, 1] with kl(p, q) <= bound, within 2^-50.
double largest_mean_within(double p, double bound) noexcept;

}  // namespace phe
