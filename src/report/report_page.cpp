#include <algorithm>

#include <fmt/format.h>

#include "phe/version.hpp"
#include "record/experiment_json.hpp"
#include "report/embedded.hpp"
#include "report/report.hpp"

namespace phe {

namespace {

constexpr std::string_view citation =
    "Kveton, Szepesvári, Ghavamzadeh, Boutilier: “Perturbed-History Exploration in Stochastic "
    "Linear "
    "Bandits”, UAI 2019";

std::string summary(const std::vector<ClaimVerdict>& verdicts) {
  const auto count = [&](Verdict verdict) {
    return std::ranges::count(verdicts, verdict, &ClaimVerdict::verdict);
  };
  return fmt::format(
      "Of {} claims, counted once a dimension: {} hold, {} do not hold, {} undecided.",
      verdicts.size(), count(Verdict::holds), count(Verdict::does_not_hold),
      count(Verdict::undecided));
}

std::string image_source(const std::string& svg) {
  return "data:image/svg+xml;base64," + base64(svg);
}

// Small screens get the panels below each other.
std::string figure_html(const ReportedExperiment& experiment) {
  if (!experiment.figure)
    return "<p class=\"missing\">The figure could not be drawn: gnuplot was not found or failed. "
           "The same command draws it once gnuplot is there.</p>\n";
  return fmt::format(
      "<figure><picture>\n<source media=\"(max-width: 640px)\" srcset=\"{}\">\n"
      "<img alt=\"{}: cumulative pseudo-regret against the round, a panel a dimension, a line a "
      "policy\" src=\"{}\">\n</picture></figure>\n",
      image_source(experiment.figure->narrow), html_text(experiment.title),
      image_source(experiment.figure->wide));
}

std::string costs_text(const std::optional<Costs>& costs) {
  if (!costs)
    return "not measured: the runs, or some of them, were there before or done by other processes";
  return fmt::format(
      "{:.1f} s of wall time, {:.1f} s of processor time; {:.1f} % of the latter outside the "
      "policies’ select and update (problems, rewards, recording, figures)",
      costs->wall_seconds, costs->cpu_seconds, 100.0 * costs->outside_share());
}

std::string fact(std::string_view name, std::string_view value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_text(name), html_text(value));
}

std::string what_was_run(const Report& report) {
  std::string text = "<h2 id=\"run\">What was run</h2>\n<dl>\n";
  text += fact("Command", report.command);
  text += fact("Program", fmt::format("phe {}", version));
  text += fact("Seed", fmt::format("{}", report.experiments.front().plan->experiment().seed));
  text += fact("Processor", report.machine.cpu);
  text += fact("Instruction set, threads",
               fmt::format("{}, {}", report.machine.simd, report.machine.threads));
  text += fact("Time", costs_text(report.costs)) + "</dl>\n";
  for (const ReportedExperiment& experiment : report.experiments)
    text += fmt::format("<h3>{}</h3>\n<pre>{}</pre>\n", html_text(experiment.title),
                        html_text(dumped(to_json(experiment.plan->experiment()), 2)));
  return text;
}

}  // namespace

std::string report_html(const Report& report) {
  const std::uint64_t instances = report.experiments.front().plan->experiment().instances;
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Perturbed-history exploration, reproduced</title>\n<style>\n{}</style>\n</head>\n"
      "<body>\n<h1>Perturbed-history exploration, reproduced</h1>\n<p>The experiments of {}, run "
      "again by phe {}.</p>\n",
      embedded::report_css, citation, version);
  text += fmt::format("<p class=\"summary\">{} <a href=\"#claims\">All claims</a></p>\n",
                      summary(report.verdicts));
  for (const ReportedExperiment& experiment : report.experiments)
    text += fmt::format("<section>\n<h2>{}</h2>\n{}{}</section>\n", html_text(experiment.title),
                        figure_html(experiment), to_html(regret_table(experiment)));
  text += "<section>\n<h2>Run time</h2>\n";
  for (const ReportedExperiment& experiment : report.experiments)
    text += to_html(run_time_table(experiment));
  text +=
      fmt::format("</section>\n<section id=\"claims\">\n<h2>Claims</h2>\n{}<p>{}</p>\n</section>\n",
                  to_html(verdict_table(report.verdicts)), html_text(test_text(instances)));
  return text + "<section>\n" + what_was_run(report) + "</section>\n</body>\n</html>\n";
}

std::string report_markdown(const Report& report) {
  std::string text;
  for (const ReportedExperiment& experiment : report.experiments)
    text += fmt::format("## {}\n\n{}\n", experiment.title, to_markdown(regret_table(experiment)));
  text += "## Run time\n\n";
  for (const ReportedExperiment& experiment : report.experiments)
    text += to_markdown(run_time_table(experiment)) + '\n';
  text += fmt::format("## Claims\n\n{} {}\n\n{}\n", summary(report.verdicts),
                      test_text(report.experiments.front().plan->experiment().instances),
                      to_markdown(verdict_table(report.verdicts)));
  return text + fmt::format("Run with `{}` on {}, {} threads: {}.\n", report.command,
                            report.machine.cpu, report.machine.threads, costs_text(report.costs));
}

}  // namespace phe
