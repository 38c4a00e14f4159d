// Sentences about what phe tune found, for the terminal and the page.
#pragma once

#include <string>
#include <vector>

#include "tune_report.hpp"

namespace phe::app {

// "a 0.08 to 0.16": values that no race told from the best; empty for a policy without ranges.
std::string as_good_text(const tune::TunedFamily& family);
// "linphe:a=0.11 has the lowest regret:", or without the colon when it was alone.
std::string winner_text(const TuneReport& report);
// By how much the winner is better than another policy, with the interval.
struct Advantage {
  std::string than;
  double by = 0.0;
  double low = 0.0;
  double high = 0.0;
  double p_value = 1.0;
  bool significant = false;
};
std::vector<Advantage> advantages(const tune::Tuned& tuned);
// The same, a line each.
std::vector<std::string> comparison_lines(const TuneReport& report);
// On what the finalists were compared: "200 instances that tuning did not see".
std::string unseen_text(const TuneReport& report);
// A line per best value that is at the end of its range.
std::vector<std::string> edge_lines(const tune::Tuned& tuned);

}  // namespace phe::app
