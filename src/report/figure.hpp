// Figures like the paper's: regret against round, a panel per problem, a line per policy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"
#include "phe/simulate.hpp"
#include "record/curves.hpp"
#include "report/policy_style.hpp"

namespace phe {

// One policy in one panel: its regret after each of the panel's rounds.
struct FigureLine {
  std::size_t policy = 0;  // position in the legend
  std::vector<MeanAndError> regret;
};

struct FigurePanel {
  std::string heading;      // "Linear bandit, d = 5, K = 100"
  std::string source = {};  // below the heading, smaller: where the numbers come from
  std::uint64_t instances = 1;
  std::vector<std::uint64_t> rounds;
  std::vector<FigureLine> lines;
};

struct RegretFigure {
  std::string title;                  // above all panels; may be empty
  std::vector<PolicyStyle> policies;  // the legend
  std::vector<FigurePanel> panels;
  bool log_rounds = false;
  bool log_regret = false;
};

// A panel of each problem, with the policies at their positions in the plan.
std::vector<FigurePanel> panels_of(const Plan& plan, const std::vector<Curve>& curves);
// The same as a whole figure.
RegretFigure regret_figure(const Plan& plan, const std::vector<Curve>& curves);

// A gnuplot script with its data in it; figure.gp says how it is run and what it makes.
std::string figure_script(const RegretFigure& figure);

// Runs the script: writes NAME.svg, NAME.png and NAME-narrow.svg, each as a whole, for
// name = ".../NAME". The error says what to install when there is no gnuplot.
Result<void> draw_figure(const std::filesystem::path& script, const std::filesystem::path& name);

// Draws one file, whose ending, .svg, .png or .pdf, says what it is to be.
Result<void> draw_figure_file(const RegretFigure& figure, const std::filesystem::path& file);
// The same for any script that takes NAME and FORM as its arguments and makes NAME.FORM.
Result<void> draw_script_file(const std::string& script, const std::filesystem::path& file);
// Whether it can be drawn: the ending is one of these.
Result<void> check_figure_file(const std::filesystem::path& file);

}  // namespace phe
