// A log to evaluate: decisions among 80 actions at three positions, as CSV.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "phe/rng.hpp"

namespace phe::bench {

inline constexpr std::size_t log_actions = 80;

inline void write_log(const std::filesystem::path& file, std::uint64_t rows) {
  Rng rng(StreamKey(1).with("log"));
  std::ofstream out(file);
  out << "action,reward,propensity,position\n";
  for (std::uint64_t row = 0; row < rows; ++row)
    out << rng.below(log_actions) << ',' << (rng.below(100) == 0) << ','
        << 0.002 + 0.2 * to_unit(rng()) << ',' << 1 + rng.below(3) << '\n';
}

}  // namespace phe::bench
