// A log to evaluate: decisions among 80 actions at three positions, as CSV or as JSON Lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "phe/rng.hpp"

namespace phe::bench {

inline constexpr std::size_t log_actions = 80;

// Calls write(action, reward, propensity, position) for each row.
template <class Write>
void for_each_row(std::uint64_t rows, Write write) {
  Rng rng(StreamKey(1).with("log"));
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto action = rng.below(log_actions);
    const bool reward = rng.below(100) == 0;
    const double propensity = 0.002 + 0.2 * to_unit(rng());
    write(action, reward, propensity, 1 + rng.below(3));
  }
}

inline void write_log(const std::filesystem::path& file, std::uint64_t rows) {
  std::ofstream out(file);
  out << "action,reward,propensity,position\n";
  for_each_row(rows, [&](auto action, bool reward, double propensity, auto position) {
    out << action << ',' << reward << ',' << propensity << ',' << position << '\n';
  });
}

inline void write_json_log(const std::filesystem::path& file, std::uint64_t rows) {
  std::ofstream out(file);
  for_each_row(rows, [&](auto action, bool reward, double propensity, auto position) {
    out << R"({"action": )" << action << R"(, "reward": )" << reward << R"(, "propensity": )"
        << propensity << R"(, "actions": )" << log_actions << R"(, "position": )" << position
        << "}\n";
  });
}

}  // namespace phe::bench
