// Budget: how long tuning may take, in runs or in time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "phe/result.hpp"

namespace phe::tune {

struct Budget {
  std::optional<std::uint64_t> runs;  // the same budget in runs does the same runs everywhere
  double seconds = 0.0;               // of wall time, where it is not in runs

  // "2000 runs", "60 s".
  [[nodiscard]] std::string text() const;
};

// 2000 is a number of runs; 60s, 10min and 2h are times.
Result<Budget> budget_of(std::string_view text);

}  // namespace phe::tune
