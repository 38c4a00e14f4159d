// Bootstrap: the history of one arm, or of one row, as giro.hpp resamples it.
#pragma once

#include <cstdint>

#include "core/perturbation_scale.hpp"
#include "support/archive.hpp"

namespace phe {

struct Bootstrap {
  std::uint64_t pulls = 0;  // T_i
  double reward_sum = 0.0;  // V_i
  std::uint64_t size = 0;   // n_i = T_i + 2 m_i
  double mean = 0.0;        // (V_i + m_i) / n_i

  void add(std::uint64_t new_pulls, double new_sum, PerturbationScale scale) noexcept {
    reward_sum += new_sum;
    pulls += new_pulls;
    perturb(scale);
  }
  void persist(Archive& archive, PerturbationScale scale) {
    archive(pulls);
    archive(reward_sum);
    archive.require(scale.allows(pulls) && reward_sum >= 0.0 &&
                        reward_sum <= static_cast<double>(pulls) * (1 + 1e-9),
                    "rewards that do not go with the pulls");
    if (archive.ok()) perturb(scale);
  }

 private:
  void perturb(PerturbationScale scale) noexcept {
    const std::uint64_t pseudo = scale.trials(pulls);
    size = pulls + 2 * pseudo;
    mean = size == 0 ? 0.0 : (reward_sum + static_cast<double>(pseudo)) / static_cast<double>(size);
  }
};

}  // namespace phe
