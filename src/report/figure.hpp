// Figures like the paper's: regret against round, a panel a problem, a line a policy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phe/result.hpp"
#include "phe/simulate.hpp"
#include "record/curves.hpp"

namespace phe {

// A gnuplot script with its data in it; figure.gp says how it is run and what it makes.
std::string figure_script(const Plan& plan, const std::vector<Curve>& curves);

// Runs the script: writes NAME.svg, NAME.png and NAME-narrow.svg, each as a whole, for
// name = ".../NAME". The error says what to install when there is no gnuplot.
Result<void> draw_figure(const std::filesystem::path& script, const std::filesystem::path& name);

}  // namespace phe
