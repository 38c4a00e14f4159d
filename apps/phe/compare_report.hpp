// What phe compare says, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "report/paired.hpp"
#include <phe/simulate.hpp>

namespace phe::app {

// Per problem a row per pair: the difference, its interval, and whose regret is lower.
std::string compare_text(const Plan& plan, const std::vector<PairedDifference>& differences,
                         double confidence);
std::string compare_json(const Plan& plan, const std::vector<PairedDifference>& differences,
                         double confidence);

}  // namespace phe::app
