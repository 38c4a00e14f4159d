// LinGiro: exploration by bootstrapping a history with pseudo-rewards, with a linear model (Kveton,
// Szepesvari, Vaswani, Wen, Lattimore & Ghavamzadeh, ICML 2019, contextual form).
//
// The history holds, for each pull of arm i, its reward and, as in giro.hpp, m_i = ceil(a T_i)
// pseudo-rewards each of 0 and of 1, all with features x_i: n_i = T_i + 2 m_i rows of arm i. Each
// round fits a ridge model to a resample of the history and takes its best action:
//
//   argmax_i x_i^T theta,   theta = ((2a + 1) ridge I + sum_i C_i x_i x_i^T)^-1 sum_i x_i B_i,
//
// where C_i counts the resampled rows of arm i, B_i ~ B(C_i, (V_i + m_i) / n_i). Either all N rows
// are resampled together, C ~ Multinomial(N; n_i / N), and the matrix is factorised anew each
// round, O(K d^2 + d^3); or each arm's rows on their own, C_i = n_i, and the matrix is kept by
// rank-one updates, O(K d + d^2). Neither costs O(t) with fixed arms; in contexts each row observed
// is an arm of its own. Rewards inside (0, 1): see giro.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/aligned_vector.hpp"
#include "models/ridge.hpp"
#include "policies/bootstrap.hpp"
#include "policies/configured.hpp"

namespace phe {

enum class Resample { history, arms };

struct LinGiroOptions {
  double pseudo_rewards = 1.0;  // a: pseudo-rewards of 0, and as many of 1, per observed reward
  double ridge = 1.0;           // lambda
  Resample resample = Resample::history;
};

class LinGiro final : public Configured<LinGiro, LinGiroOptions> {
 public:
  static const Keys<LinGiroOptions>& keys();
  LinGiro(const Arms& arms, const LinGiroOptions& options);

  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  [[nodiscard]] bool keeps_rows() const noexcept override { return true; }
  void observe(const Observation& observation) override;
  std::span<const double> draw(Rng& rng) override;
  std::span<const double> theta() override {
    return options_.resample == Resample::arms
               ? model_.solution()
               : std::span<const double>(theta_).first(rows_.dimension());
  }
  void persist(Archive& archive) override;
  void merge(const Learner& other) override;

 private:
  void resample_history(Rng& rng) noexcept;
  void fit_counts() noexcept;
  void make_room();

  PerturbationScale scale_;
  Rows rows_;
  RidgeModel model_;                   // with C_i = n_i
  std::vector<Bootstrap> bootstraps_;  // by row
  std::uint64_t total_size_ = 0;       // N
  std::vector<std::uint64_t> counts_;  // C_i
  std::vector<double> sums_;           // B_i
  AlignedVector gram_;
  AlignedVector factor_;
  AlignedVector target_;
  AlignedVector theta_;
  AlignedVector row_;
};

}  // namespace phe
