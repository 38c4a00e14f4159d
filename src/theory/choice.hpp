// The a and lambda that the theory gives a LinPHE which does not know theta*.
#pragma once

#include <cstdint>
#include <optional>

#include "phe/arms.hpp"
#include "phe/result.hpp"
#include "theory/bound.hpp"

namespace phe::theory {

struct ChoiceOptions {
  // unshifted or as_written; the latter is what is proved when pseudo-rewards are not centred.
  Reading reading = Reading::unshifted;
  // A bound on |theta*| that the user knows; without it norm_bound(), which needs means in [0, 1]
  // only.
  std::optional<double> norm{};
  // lambda instead of Table 1's; at most that.
  std::optional<double> ridge{};
};

// Table 1 at horizon n. Fails when the arms do not span R^d, and when there is no a.
Result<Constants> choose_constants(const Arms& arms, std::uint64_t rounds,
                                   const ChoiceOptions& options);

}  // namespace phe::theory
