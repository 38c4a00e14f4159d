// OracleHistory: what was observed of each row, and a picture of it as it was at the last refit,
// which can be perturbed as often as models are fitted to it.
//
// The law of the pseudo-rewards is that of LinPHE and LogPHE (policies/flip_law.hpp); but a model
// that is no linear one sees them row by row, U_i of row i, and not as one sum.
#pragma once

#include <cstdint>
#include <vector>

#include "core/observation.hpp"
#include "phe/oracle.hpp"
#include "policies/flip_law.hpp"
#include "support/archive.hpp"

namespace phe {

class OracleHistory {
 public:
  // Precondition: a is a perturbation scale.
  OracleHistory(bool contexts, double a, bool centred)
      : law_(PerturbationScale::from(a).value(), contexts), centred_(centred) {}

  void add(RowId row, std::uint64_t pulls, double reward_sum);
  [[nodiscard]] std::uint64_t total() const noexcept { return now_.total; }
  [[nodiscard]] std::uint64_t total_then() const noexcept { return then_.total; }
  // How often a row was observed.
  [[nodiscard]] std::uint64_t pulls(RowId row) const noexcept { return now_.pulls[row]; }
  [[nodiscard]] double reward_sum(RowId row) const noexcept { return now_.reward_sums[row]; }

  // The picture is that of now.
  void take_picture() { then_ = now_; }
  // The picture with fresh pseudo-rewards; valid until the next call. `rows` are those observed.
  PerturbedRows perturb(const Rows& rows, Rng& rng);

  // Of as many rows.
  void persist(Archive& archive, std::size_t rows);

 private:
  struct Sums {
    std::vector<std::uint64_t> pulls;  // T_i
    std::vector<double> reward_sums;   // V_i
    std::uint64_t total = 0;

    void persist(Archive& archive, const FlipLaw& law);
  };

  FlipLaw law_;
  bool centred_;
  Sums now_, then_;
  // Work space of perturb:
  std::vector<std::uint64_t> flips_, copies_;
  std::vector<double> heads_, weights_, perturbed_;
};

}  // namespace phe
