// What phe bound says: Table 1 and Theorem 1 in every reading, for people, programs and gnuplot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bandit_flags.hpp"
#include "record/curves.hpp"
#include "theory/bound.hpp"
#include <phe/simulate.hpp>

namespace phe::app {

struct BoundColumn {
  theory::Reading reading{};
  bool exists = false;                       // whether this reading has an a
  theory::Constants constants{};             // without an a only L, lambda, c3, p1 and p2
  std::optional<double> informative_from{};  // the n from which the bound is below n
};

struct BoundReport {
  Bandit bandit;
  double rounds = 0;
  theory::Setting setting;
  double largest_ridge = 0;  // with which theta*, shifted, has an a; 0 when it cannot be shifted
  std::vector<BoundColumn> columns;
};

BoundReport bound_report(Bandit bandit, double rounds, theory::Setting setting);

std::string bound_text(const BoundReport& report);
std::string bound_json(const BoundReport& report);
// The bound against n beside the regret that was measured.
std::string bound_plot(const BoundReport& report, const Plan& plan,
                       const std::vector<Curve>& curves);

}  // namespace phe::app
