// The squared width of every action, x^T A x, as UCBs need it for actions that change each round.
#pragma once

#include <span>

#include "kernels/matrix.hpp"
#include "phe/arms.hpp"

namespace phe::kernels {

// result[k] = x_k^T A x_k for A symmetric to the bit; lanes are actions. Each is computed as
// multiply and dot (matrix.hpp) compute it for the row x_k, to the bit. `result` has
// x.padded_arms() entries.
void quadratic_forms(const FeatureView& x, const MatrixView& a, std::span<double> result) noexcept;

namespace scalar {
void quadratic_forms(const FeatureView& x, const MatrixView& a, std::span<double> result) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
