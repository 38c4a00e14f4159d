// What phe growth says, for people, programs and gnuplot.
#pragma once

#include <string>
#include <vector>

#include "report/policy_style.hpp"
#include "theory/growth.hpp"
#include <phe/simulate.hpp>

namespace phe::app {

struct GrowthRow {
  std::string policy;
  PolicyStyle style;
  std::vector<MeanAndError> regret;  // at each x
  theory::Slope slope;
  std::vector<double> local;  // exponent from each x to the next
};

struct GrowthReport {
  std::string over;  // "rounds" or "d"
  std::vector<double> x;
  std::string problem;       // as it was asked for
  std::uint64_t rounds = 0;  // when over d
  std::uint64_t instances = 0;
  std::uint64_t seed = 1;
  std::vector<GrowthRow> rows;
};

std::string growth_text(const GrowthReport& report);
std::string growth_json(const GrowthReport& report);
std::string growth_plot(const GrowthReport& report);

}  // namespace phe::app
