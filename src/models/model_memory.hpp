// Whether a model of these arms fits into memory, asked before it is made.
#pragma once

#include <string_view>

#include "phe/arms.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace phe {

// Every model keeps a few d x d matrices: eight at most. Beside the arms there may be their
// screened copy, a quarter as large, a row of each arm observed, which is kept in two ways, and for
// a moment the copy in which a basis is looked for.
inline Result<void> check_model_memory(std::string_view who, const Arms& arms) {
  const auto count = static_cast<double>(arms.size());
  const auto d = static_cast<double>(arms.dimension());
  return check_memory(
      fmt::format("{}: models of {} arms with {} features", who, arms.size(), arms.dimension()),
      (4.25 * count * d + 8.0 * d * d) * sizeof(double));
}

}  // namespace phe
