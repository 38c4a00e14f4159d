// Sentences about what phe tune found, for the terminal and the page.
#pragma once

#include <string>
#include <vector>

#include "tune/tune.hpp"

namespace phe::app {

// "a 0.08 to 0.16": values that no race told from the best; empty for a policy without ranges.
std::string as_good_text(const tune::TunedFamily& family);
// "linphe:a=0.11 has the lowest regret:", or without the colon when it was alone.
std::string winner_text(const tune::Tuned& tuned);
// A line per other policy: by how much the winner is below it, with the interval.
std::vector<std::string> comparison_lines(const tune::Tuned& tuned);
// A line per best value that is at the end of its range.
std::vector<std::string> edge_lines(const tune::Tuned& tuned);

}  // namespace phe::app
