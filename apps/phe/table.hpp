// The outcome of a simulation, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "record/curves.hpp"
#include <phe/simulate.hpp>

namespace phe::app {

// "linear, d = 10, 100 arms".
std::string problem_heading(const Plan& plan, std::size_t problem);

// Per problem a row per policy: final regret and its standard error, time a round; '*' marks the
// lowest regret.
std::string table_text(const Plan& plan, const std::vector<Curve>& curves);
// The same and the whole curves, as one JSON document.
std::string table_json(const Plan& plan, const std::vector<Curve>& curves);

}  // namespace phe::app
