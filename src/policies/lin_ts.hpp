// LinTs: Thompson (posterior) sampling in a linear bandit. It takes
//
//   argmax_i x_i^T theta,   theta ~ N(G^-1 b, v^2 G^-1),
//   G = ridge I + sum x x^T / sigma^2,   b = sum x y / sigma^2,
//
// by default the exact posterior under the prior N(0, I) and noise of scale sigma = 1/2: v = 1.
// The inflated form, which has a regret bound (Agrawal & Goyal 2013), has sigma = 1 and
// v_t = R sqrt(9 d log(t / delta)).
//
// A draw costs d normal numbers and O(d^2); no matrix is factorised (models/posterior.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/posterior.hpp"
#include "policies/configured.hpp"

namespace phe {

struct LinTsOptions {
  double ridge = 1.0;           // the prior is N(0, I / ridge)
  std::optional<double> sigma;  // noise scale; 1/2, or 1 when inflated
  bool inflated = false;
  double noise = 0.5;             // R, when inflated
  std::optional<double> delta;    // when inflated; 1 / n
  std::uint64_t rounds = 10'000;  // n
};

class LinTs final : public Configured<LinTs, LinTsOptions> {
 public:
  static const Keys<LinTsOptions>& keys();
  LinTs(const Arms& arms, const LinTsOptions& options);

  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  [[nodiscard]] Result<void> weighable() const override { return {}; }
  void observe(const Observation& observation) override;
  std::span<const double> draw(Rng& rng) override;
  [[nodiscard]] bool traceless() const noexcept override { return true; }
  std::span<const double> theta() override { return posterior_.sampled(); }
  void persist(Archive& archive) override;
  void merge(const Learner& other) override;

  // v_t of the next round.
  [[nodiscard]] double inflation() const noexcept;
  [[nodiscard]] const GaussianPosterior& posterior() const noexcept { return posterior_; }

 private:
  void settle();

  double sigma_;
  double delta_;
  Rows rows_;
  GaussianPosterior posterior_;
  std::uint64_t round_ = 1;
  // Pulls and reward sums of fixed arms that the posterior's sums do not have yet, by row: summed
  // together they cost next to nothing.
  std::vector<std::uint64_t> pulls_;
  std::vector<double> reward_sums_;
};

}  // namespace phe
