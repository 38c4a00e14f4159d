// Whether a model of these arms fits into memory, asked before it is made.
#pragma once

#include <string_view>

#include "phe/arms.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace phe {

// Every model keeps a few d x d matrices, and finding a basis takes some for a moment: eight in
// all. Beside the arms there may be their screened copy, a quarter as large.
inline Result<void> check_model_memory(std::string_view who, const Arms& arms) {
  const auto count = static_cast<double>(arms.size());
  const auto d = static_cast<double>(arms.dimension());
  return check_memory(
      fmt::format("{}: models of {} arms with {} features", who, arms.size(), arms.dimension()),
      (1.25 * count * d + 8.0 * d * d) * sizeof(double));
}

}  // namespace phe
