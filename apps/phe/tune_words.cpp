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

std::string Measured::number(double amount) const {
  return reward ? fmt::format("{:.4g}", amount) : fmt::format("{:.1f}", amount);
}

std::string Measured::with_error(const MeanAndError& loss) const {
  return reward ? fmt::format("{:.4g} ± {:.2g}", shown(loss.mean), loss.standard_error)
                : fmt::format("{:.1f} ± {:.1f}", loss.mean, loss.standard_error);
}

std::string winner_text(const TuneReport& report) {
  const tune::Tuned& tuned = *report.tuned;
  return fmt::format("{} has the {} {}{}", tuned.plan.policies()[tuned.winner].text,
                     report.measured.best(), report.measured.name(),
                     tuned.differences.empty() ? "" : ":");
}

std::vector<Advantage> advantages(const tune::Tuned& tuned) {
  std::vector<Advantage> list;
  for (const PairedDifference& pair : tuned.differences) {
    const bool first = pair.policy == tuned.winner;
    list.push_back({.than = tuned.plan.policies()[first ? pair.other : pair.policy].text,
                    .by = first ? -pair.difference : pair.difference,
                    .low = first ? -pair.high : pair.low,
                    .high = first ? -pair.low : pair.high,
                    .p_value = pair.p_value,
                    .significant = pair.lower().has_value()});
  }
  return list;
}

std::vector<std::string> comparison_lines(const TuneReport& report) {
  const Measured& measured = report.measured;
  std::vector<std::string> lines;
  for (const Advantage& advantage : advantages(*report.tuned))
    lines.push_back(fmt::format("{} {} than {} ({:.0f} % interval {} to {}{})",
                                measured.number(advantage.by), measured.better(), advantage.than,
                                100 * tune::final_confidence, measured.number(advantage.low),
                                measured.number(advantage.high),
                                advantage.significant ? "" : ": not significant"));
  return lines;
}

std::string unseen_text(const TuneReport& report) {
  const std::uint64_t instances = report.tuned->plan.experiment().instances;
  return report.measured.reward
             ? fmt::format("{} random halves of the rows that tuning did not see", instances)
             : fmt::format("{} instances that tuning did not see", instances);
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
