// A figure of estimates: a point and its intervals for each, beside the mean of the log itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phe/result.hpp"

namespace phe {

struct FigureInterval {
  std::string name;  // "normal"
  double low = 0.0;
  double high = 0.0;
};

struct FigureEstimate {
  std::string name;
  double value = 0.0;
  std::vector<FigureInterval> intervals;
};

struct EstimateFigure {
  std::string title;
  std::string note;  // below it, smaller
  FigureEstimate logged;
  std::vector<FigureEstimate> estimates;
};

// Its ending, .svg, .png or .pdf, says what it is to be. An interval many times wider than the
// others ends at the edge of the figure.
Result<void> draw_estimates(const EstimateFigure& figure, const std::filesystem::path& file);

// The same as a gnuplot script that is called with NAME and FORM.
std::string estimate_script(const EstimateFigure& figure);

}  // namespace phe
