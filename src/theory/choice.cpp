#include "theory/choice.hpp"

#include <cmath>

#include "support/error.hpp"

namespace phe::theory {

Result<Constants> choose_constants(const Arms& arms, std::uint64_t rounds,
                                   const ChoiceOptions& options) {
  const auto geometry = geometry_of(arms);
  if (!geometry) return geometry.error();
  const bool shifted = options.reading != Reading::unshifted;
  if (shifted && geometry->shift.empty())
    return invalid("no s has x's = 1 for every arm, so theta* cannot be shifted by a/2");
  if (options.norm && !(*options.norm >= 0 && std::isfinite(*options.norm)))
    return invalid("norm must be >= 0, got {}", *options.norm);
  const double lambda = options.ridge.value_or(geometry->table_ridge());
  if (!(lambda > 0 && lambda <= geometry->table_ridge()))
    return invalid("ridge must be > 0 and at most Table 1's {:.3g}, got {}",
                   geometry->table_ridge(), lambda);
  const double bound = options.norm.value_or(norm_bound(geometry.value()));
  const ParameterNorm norm = shifted ? ParameterNorm::shifted_at_most(bound, geometry->shift_norm)
                                     : ParameterNorm::fixed(bound);
  const auto n = static_cast<double>(rounds);
  const auto a = solve_scale(n, geometry.value(), norm, lambda);
  if (!a)
    return invalid(
        "no a has a = ceil(16 c1^2) at ridge {:.3g}: theta* is shifted by a/2, so c1 grows with a; "
        "give ridge={:.2g} or less",
        lambda, 0.9 * largest_ridge(n, geometry.value(), norm));
  return constants_at(n, geometry.value(), norm, lambda, *a);
}

}  // namespace phe::theory
