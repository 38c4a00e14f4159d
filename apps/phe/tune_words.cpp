#include "tune_words.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace phe::app {

std::string as_good_text(const tune::TunedFamily& family) {
  std::vector<std::string> parts;
  for (std::size_t r = 0; r < family.as_good.size(); ++r) {
    const auto& [low, high] = family.as_good[r];
    const std::string& key = family.family.ranges[r].key;
    parts.push_back(low == high ? fmt::format("{} {}", key, low)
                                : fmt::format("{} {} to {}", key, low, high));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string winner_text(const tune::Tuned& tuned) {
  return fmt::format("{} has the lowest regret{}", tuned.plan.policies()[tuned.winner].text,
                     tuned.differences.empty() ? "" : ":");
}

std::vector<std::string> comparison_lines(const tune::Tuned& tuned) {
  std::vector<std::string> lines;
  for (const PairedDifference& pair : tuned.differences) {
    const bool first = pair.policy == tuned.winner;
    const double less = first ? -pair.difference : pair.difference;
    const double low = first ? -pair.high : pair.low;
    const double high = first ? -pair.low : pair.high;
    lines.push_back(fmt::format("{:.1f} less than {} ({:.0f} % interval {:.1f} to {:.1f}{})", less,
                                tuned.plan.policies()[first ? pair.other : pair.policy].text,
                                100 * tune::confidence, low, high,
                                pair.lower() ? "" : ": not significant"));
  }
  return lines;
}

std::vector<std::string> edge_lines(const tune::Tuned& tuned) {
  std::vector<std::string> lines;
  for (const tune::TunedFamily& family : tuned.families)
    for (const std::string& key : family.at_edge) {
      const auto range = std::ranges::find(family.family.ranges, key, &tune::Range::key);
      lines.push_back(
          fmt::format("{}: {} is at the end of its range {}..{}; a wider one may have "
                      "a better value",
                      family.best, key, range->low, range->high));
    }
  return lines;
}

}  // namespace phe::app
