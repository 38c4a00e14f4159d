#include "report/figure.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "report/embedded.hpp"
#include "report/gnuplot.hpp"
#include "report/policy_style.hpp"
#include "support/error.hpp"

namespace phe {

namespace fs = std::filesystem;

namespace {

// A gnuplot string; nothing is special between single quotes but the quote.
std::string gnuplot_string(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + '\'';
}

template <class Values>
std::string array_of(std::string_view name, const Values& values) {
  return fmt::format("array {}[{}] = [{}]\n", name, values.size(), fmt::join(values, ", "));
}

std::string styles(const Plan& plan) {
  std::vector<std::string> labels;
  std::vector<std::string> colours;
  std::vector<int> dashes;
  std::vector<int> markers;
  for (std::size_t i = 0; i < plan.policies().size(); ++i) {
    const PolicyStyle style = style_of(plan.policies()[i].text, i);
    labels.push_back(gnuplot_string(style.label));
    colours.push_back(gnuplot_string(style.colour));
    dashes.push_back(style.dash);
    markers.push_back(style.marker);
  }
  return array_of("label", labels) + array_of("colour", colours) + array_of("dash", dashes) +
         array_of("marker", markers);
}

std::string headings(const Plan& plan) {
  std::vector<std::string> headings;
  for (const ProblemSpec& problem : plan.problems()) {
    std::string name = problem_label(problem);
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    headings.push_back(gnuplot_string(fmt::format(
        "{} bandit, d = {}, K = {}", name, problem.problem->dimension(), problem.problem->arms())));
  }
  return array_of("heading", headings);
}

// The tops of the panels. Where one policy's regret would press all others to the ground, the panel
// ends a little above the second highest, and a note says where the highest goes.
std::string tops(const Plan& plan, const std::vector<Curve>& curves) {
  constexpr double far_above = 2.5;
  std::vector<double> tops;
  std::vector<std::string> notes;
  for (std::size_t problem = 0; problem < plan.problems().size(); ++problem) {
    std::vector<std::pair<double, std::size_t>> ends;
    for (const Curve& curve : curves)
      if (curve.problem == problem) ends.emplace_back(curve.final().mean, curve.policy);
    std::ranges::sort(ends, std::greater());
    const bool cut = ends.size() > 2 && ends[0].first > far_above * ends[1].first;
    const auto [highest, policy] = ends[0];
    tops.push_back(cut ? 1.25 * ends[1].first : 0.0);
    notes.push_back(gnuplot_string(
        cut ? fmt::format("{} ends above, at {:.0f}",
                          style_of(plan.policies()[policy].text, policy).label, highest)
            : ""));
  }
  return array_of("highest", tops) + array_of("above", notes);
}

std::string note(const Plan& plan) {
  const Experiment& experiment = plan.experiment();
  if (experiment.instances == 1) return "One random instance.";
  return fmt::format("Mean over {} random instances; shaded: its standard error.",
                     experiment.instances);
}

// Two blank lines end a block.
std::string data(const Plan& plan, const std::vector<Curve>& curves) {
  std::string text = "$curves << EOD\n";
  auto out = std::back_inserter(text);
  for (const Curve& curve : curves) {
    fmt::format_to(out, "0 0 0\n");
    for (std::size_t c = 0; c < curve.regret.size(); ++c)
      fmt::format_to(out, "{} {:.8g} {:.8g}\n", plan.checkpoints()[c], curve.regret[c].mean,
                     curve.regret[c].standard_error);
    fmt::format_to(out, "\n\n");
  }
  return text + "EOD\n";
}

}  // namespace

std::string figure_script(const Plan& plan, const std::vector<Curve>& curves) {
  std::string text = fmt::format("panels = {}\npolicies = {}\ncheckpoints = {}\nnote = {}\n",
                                 plan.problems().size(), plan.policies().size(),
                                 plan.checkpoints().size(), gnuplot_string(note(plan)));
  return text + headings(plan) + tops(plan, curves) + styles(plan) + data(plan, curves) +
         std::string(embedded::figure_gp);
}

Result<void> draw_figure(const fs::path& script, const fs::path& name) {
  // Under another name first, so that a figure is there as a whole or not at all.
  const fs::path draft = name.parent_path() / (".draft-" + name.filename().string());
  if (auto drawn = report::run_gnuplot(".", {"-c", script.string(), draft.string()}); !drawn)
    return drawn;
  for (const char* const ending : {".svg", ".png", "-narrow.svg"}) {
    std::error_code failed;
    fs::rename(draft.string() + ending, name.string() + ending, failed);
    if (failed) return invalid("{}{}: {}", name.string(), ending, failed.message());
  }
  return {};
}

}  // namespace phe
