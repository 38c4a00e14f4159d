// PerturbedHistory: rewards mixed with pseudo-rewards, as a linear or a logistic model sees them:
// the vector sum_i x_i (V_i + U_i), with fresh U_i in each round. LinPHE and LogPHE share it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/aligned_vector.hpp"
#include "core/observation.hpp"
#include "core/pseudo_rewards.hpp"
#include "kernels/padded.hpp"
#include "policies/flip_law.hpp"
#include "support/archive.hpp"

namespace phe {

class PerturbedHistory {
 public:
  // a must be a perturbation scale. `centred`: pseudo-rewards of mean 0. `prior_variance`: of the
  // noise on a perturbed prior, 0 for none. `varies`: whether the spread of draws does. `fading`:
  // whether observations say how many pseudo-rewards they bring.
  PerturbedHistory(const Arms& arms, double a, bool centred, double prior_variance,
                   bool varies = false, bool fading = false)
      : law_(PerturbationScale::from(a).value(), arms.empty(), fading),
        centred_(centred),
        needs_mean_(varies || law_.spread() != 1.0),
        pseudo_rewards_(law_.pseudo_rewards(arms.dimension(), arms.size(), prior_variance)),
        rewards_(padded(arms.dimension())),
        pseudo_mean_(rewards_.size()),
        target_(rewards_.size()) {}

  [[nodiscard]] const FlipLaw& law() const noexcept { return law_; }
  [[nodiscard]] const PseudoRewards& pseudo_rewards() const noexcept { return pseudo_rewards_; }
  // sum_i x_i V_i (minus the centring).
  [[nodiscard]] std::span<const double> rewards() const noexcept { return rewards_; }

  // Takes in an observation of the row x, padded; returns by how many its flips grew.
  double add(const Observation& observation, std::span<const double> x) {
    if (!law_.contexts() && law_.of_each(observation)) return add_single(observation, x);
    const auto flips = pseudo_rewards_.add_pulls(observation.row, observation.pulls);
    return take_in(x, observation.reward_sum, static_cast<double>(flips));
  }
  // The same for an observation that brings so many pseudo-rewards, where they fade.
  void add(const Observation& observation, std::span<const double> x, double pseudo_rewards) {
    take_in(x, observation.reward_sum, fade(observation.row, observation.pulls, pseudo_rewards));
  }

  // Line 6: fresh flips; the model sees only sum_i x_i U_i with U_i ~ B(a T_i, 1/2), before the
  // scaling of the law. d entries, valid until the next call.
  std::span<const double> draw_flips(const Rows& rows, Rng& rng) {
    return pseudo_rewards_.draw(rows, rng);
  }
  // sum_i x_i (V_i + U_i), the deviation of the flips from their mean multiplied by `spread`.
  std::span<const double> draw(const Rows& rows, double spread, Rng& rng) {
    const auto flips = draw_flips(rows, rng);
    if (!needs_mean_) {
      for (std::size_t j = 0; j < flips.size(); ++j) target_[j] = rewards_[j] + flips[j];
      return target_;
    }
    for (std::size_t j = 0; j < flips.size(); ++j)
      target_[j] = rewards_[j] + flips[j] - (1.0 - spread) * (flips[j] - pseudo_mean_[j]) -
                   (1.0 - law_.mean_factor()) * pseudo_mean_[j];
    return target_;
  }

  // The first `count` rows share one Gaussian from now on.
  void fold(const Rows& rows, std::size_t count) {
    pseudo_rewards_.fold(rows, count);
    if (!fading_.empty())
      fading_.erase(fading_.begin(), fading_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  // What `other`, of `theirs`, has learnt; rows that are new are appended to `ours`.
  void merge(const PerturbedHistory& other, const Rows& theirs, Rows& ours) {
    for (std::size_t j = 0; j < rewards_.size(); ++j) {
      rewards_[j] += other.rewards_[j];
      pseudo_mean_[j] += other.pseudo_mean_[j];
    }
    pseudo_rewards_.merge_folded(other.pseudo_rewards_);
    for (RowId row = 0; row < theirs.size(); ++row) {
      const RowId own = ours.intern(theirs, row);
      const std::uint64_t pulls = other.pseudo_rewards_.pulls(row);
      if (other.fading_.empty()) {
        pseudo_rewards_.add_pulls(own, pulls);
      } else {  // rounded up once, where they were twice
        const double grown = fade(own, pulls, other.fading_[row]);
        const auto counted = static_cast<double>(other.pseudo_rewards_.trials(row));
        take_in(ours.features(own), 0.0, grown - counted);
      }
    }
  }
  // Of as many rows.
  void persist(Archive& archive, std::size_t rows) {
    pseudo_rewards_.persist(archive);
    archive.require(pseudo_rewards_.rows() == rows, "rows without pseudo-rewards");
    archive.fixed(rewards_);
    archive.fixed(pseudo_mean_);
    archive(fading_);
    archive.require(fading_.size() == (law_.fading() ? rows : 0), "rows without pseudo-rewards");
    if (!archive.ok()) return;
    for (RowId row = 0; row < fading_.size(); ++row)
      archive.require(fading_[row] >= 0 && fading_[row] < 1e15 &&
                          pseudo_rewards_.trials(row) == FlipLaw::fading_flips(fading_[row]),
                      "pseudo-rewards that do not go with the pulls");
  }

 private:
  // Of fixed arms, a reward with a weight: ceil(a) flips whose mean is made a/2, in the scale of x.
  double add_single(const Observation& observation, std::span<const double> x) {
    const auto flips =
        static_cast<double>(pseudo_rewards_.add_single_pulls(observation.row, observation.pulls));
    const double mean = centred_ ? 0.0 : 0.5 * flips * law_.spread_of_each();
    kernels::add_scaled(x.data(), observation.reward_sum + mean - 0.5 * flips, x.size(),
                        rewards_.data());
    if (needs_mean_) kernels::add_scaled(x.data(), 0.5 * flips, x.size(), pseudo_mean_.data());
    return flips;
  }
  // Adds W pseudo-rewards to those of the row; returns by how many its flips grew.
  double fade(RowId row, std::uint64_t pulls, double pseudo_rewards) {
    if (row >= fading_.size()) fading_.resize(row + 1);
    const double all = fading_[row] += pseudo_rewards;
    return static_cast<double>(pseudo_rewards_.add_pulls(row, pulls, FlipLaw::fading_flips(all)));
  }
  // Rewards of x, and what is known of so many more flips: their mean.
  double take_in(std::span<const double> x, double reward_sum, double flips) {
    const double centre = centred_ ? 0.5 * flips * law_.mean_factor() : 0.0;
    kernels::add_scaled(x.data(), reward_sum - centre, x.size(), rewards_.data());
    if (needs_mean_) kernels::add_scaled(x.data(), 0.5 * flips, x.size(), pseudo_mean_.data());
    return flips;
  }

  FlipLaw law_;
  bool centred_;
  bool needs_mean_;
  PseudoRewards pseudo_rewards_;
  std::vector<double> fading_;  // W_i of each row, where the law fades; else empty
  AlignedVector rewards_;       // kept up to date
  AlignedVector pseudo_mean_;   // sum_i x_i m_i / 2, where it is needed
  AlignedVector target_;
};

// With bounded memory: how many of the oldest rows to fold now. A quarter more than `memory` are
// kept meanwhile, so that folding, which moves all others, is rare.
inline std::size_t rows_to_fold(std::size_t rows, std::optional<std::uint64_t> memory) noexcept {
  if (!memory || rows < *memory + std::max<std::uint64_t>(16, *memory / 4)) return 0;
  return rows - *memory;
}

}  // namespace phe
