// The report of a reproduction: verdicts, figures, tables, and what was run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "phe/simulate.hpp"
#include "record/curves.hpp"
#include "record/manifest.hpp"
#include "report/claims.hpp"
#include "report/costs.hpp"
#include "report/table.hpp"

namespace phe {

struct Figure {
  std::string wide;    // SVG
  std::string narrow;  // SVG for small screens
};

struct ReportedExperiment {
  std::string title;  // "Linear bandit"
  const Plan* plan = nullptr;
  std::vector<Curve> curves;
  std::optional<Figure> figure;  // nothing when it could not be drawn
};

struct Report {
  std::vector<ReportedExperiment> experiments;
  std::vector<ClaimVerdict> verdicts;
  Machine machine;
  std::string command;         // that makes it again
  std::optional<Costs> costs;  // nothing when its runs were there before
};

// Policies by row, problems by column: final pseudo-regret and its standard error, the best marked.
Table regret_table(const ReportedExperiment& experiment);
// Policies by row, problems by column: ns a round; then each PHE policy over Thompson sampling.
Table run_time_table(const ReportedExperiment& experiment);
// A row a claim and dimension, with the numbers that decide.
Table verdict_table(const std::vector<ClaimVerdict>& verdicts);
// The test and its level, in words.
std::string test_text(std::uint64_t instances);

// One page that needs no other file and no network.
std::string report_html(const Report& report);
// The same tables, to be put into a Markdown page.
std::string report_markdown(const Report& report);

}  // namespace phe
