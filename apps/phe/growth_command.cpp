// phe growth: the exponent of regret in the horizon or in the dimension.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "growth_report.hpp"
#include "measure.hpp"
#include "output.hpp"
#include "report/gnuplot.hpp"
#include "spec/numbers.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::app {

namespace {

constexpr const char* about_growth =
    "Fit the exponent with which regret grows in the horizon n or the dimension d, beside the "
    "paper's d√n";

constexpr const char* examples_of_growth = R"(Examples:
  phe growth --over rounds --policy linphe:a=0.5 --policy linphe:a=2
  phe growth --over d --values 5,10,20,40,80 --rounds 10000 --plot out/growth-d)";

struct GrowthFlags {
  std::string over = "rounds";
  Typed values;
  std::string problem = "linear";
  Typed rounds;
  Typed seed;
  MeasureFlags measure;
  std::string plot;
  bool json = false;
};

Result<std::vector<std::uint64_t>> values_of(const GrowthFlags& flags) {
  const bool over_rounds = flags.over == "rounds";
  std::string text =
      flags.values.value_or(over_rounds ? "1000,10000,100000,1000000" : "5,10,20,40,80");
  std::vector<std::uint64_t> values;
  for (std::string_view left = text; !left.empty();) {
    const auto comma = std::min(left.find(','), left.size());
    const auto value = count_in("--values", over_rounds ? rounds_range : CountRange{2, 10'000},
                                trim(left.substr(0, comma)));
    if (!value) return value.error();
    if (!values.empty() && value.value() <= values.back())
      return invalid("--values must ascend, got {} after {}", value.value(), values.back());
    values.push_back(value.value());
    left.remove_prefix(std::min(comma + 1, left.size()));
  }
  if (values.size() < 2) return invalid("--values needs at least 2 values, got '{}'", text);
  return values;
}

// One experiment per value.
Result<std::vector<Experiment>> experiments_of(const GrowthFlags& flags,
                                               const std::vector<std::uint64_t>& values) {
  Experiment base;
  base.policies = flags.measure.policies;
  if (base.policies.empty()) base.policies = {"linphe:a=0.5", "linphe:a=1", "linphe:a=2"};
  for (auto& done : {read_count("--rounds", rounds_range, flags.rounds, base.rounds),
                     read_count("--seed", seed_range, flags.seed, base.seed)})
    if (!done) return done.error();
  std::vector<Experiment> experiments;
  for (const std::uint64_t value : values) {
    Experiment experiment = base;
    experiment.problems = {flags.problem};
    if (flags.over == "rounds")
      experiment.rounds = value;
    else
      experiment.problems[0] +=
          fmt::format("{}d={}", flags.problem.find(':') == std::string::npos ? ':' : ',', value);
    experiments.push_back(std::move(experiment));
  }
  return experiments;
}

// The final regret of every instance, of one policy at each value.
std::vector<std::vector<double>> final_regret(const Measured& measured, std::size_t policy) {
  std::vector<std::vector<double>> regret;
  for (const auto& [plan, runs] : measured.parts) {
    regret.emplace_back();
    for (const auto& [id, run] : runs)
      if (id.policy == policy) regret.back().push_back(run.regret.back());
  }
  return regret;
}

Result<GrowthReport> report_of(const GrowthFlags& flags, const std::vector<std::uint64_t>& values,
                               const Measured& measured) {
  const Experiment& first = measured.parts[0].first.experiment();
  GrowthReport report{.over = flags.over,
                      .x = {values.begin(), values.end()},
                      .problem = flags.problem,
                      .rounds = first.rounds,
                      .instances = first.instances,
                      .seed = first.seed,
                      .rows = {}};
  const auto styles = styles_of(measured.parts[0].first.policies());
  for (std::size_t policy = 0; policy < first.policies.size(); ++policy) {
    const auto regret = final_regret(measured, policy);
    GrowthRow row{first.policies[policy], styles[policy], {}, {}, {}};
    for (std::size_t i = 0; i < regret.size(); ++i) {
      row.regret.push_back(mean_and_error(regret[i]));
      if (!(row.regret.back().mean > 0))
        return invalid("{} has no regret at {} = {}, so there is no exponent", row.policy,
                       flags.over, values[i]);
    }
    row.slope = theory::fit_slope(report.x, regret);
    row.local = theory::local_slopes(report.x, regret);
    report.rows.push_back(std::move(row));
  }
  return report;
}

int run_growth(const GrowthFlags& flags) {
  if (flags.over != "rounds" && flags.over != "d")
    return bad_input(fmt::format("--over must be rounds or d, got '{}'", flags.over));
  if (flags.over == "rounds" && flags.rounds)
    return bad_input("--rounds goes with --over d; give the horizons as --values");
  const auto values = values_of(flags);
  if (!values) return bad_input(values.error().message);
  const auto experiments = experiments_of(flags, values.value());
  if (!experiments) return bad_input(experiments.error().message);
  const Registry registry = Registry::built_in();
  const Measured measured = measure(experiments.value(), flags.measure, 20, registry);
  if (!measured) return measured.exit_code;
  const auto report = report_of(flags, values.value(), measured);
  if (!report) return bad_input(report.error().message);
  fmt::print("{}", flags.json ? growth_json(report.value()) : growth_text(report.value()));
  if (flags.plot.empty()) return exit_done;
  const std::string name = "growth-" + flags.over;
  const auto drawn = report::draw(flags.plot, name, growth_plot(report.value()));
  if (!drawn) return failed(drawn.error().message);
  tell(fmt::format("{0}/{1}.svg and {0}/{1}.png are drawn", flags.plot, name));
  return exit_done;
}

}  // namespace

void add_growth_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("growth", about_growth);
  const auto flags = std::make_shared<GrowthFlags>();
  command->add_option("--over", flags->over, "what grows: rounds or d (rounds)")->type_name("WHAT");
  command
      ->add_option("--values", flags->values,
                   "its values, ascending (1000,10000,100000,1000000; 5,10,20,40,80)")
      ->type_name("N,N,..");
  command->add_option("--problem", flags->problem, "problem, without d when d grows (linear)")
      ->type_name("SPEC");
  command->add_option("--rounds", flags->rounds, "rounds of a run when d grows (10000)")
      ->type_name("N");
  add_seed(*command, flags->seed);
  flags->measure.add_to(*command,
                        "policy; may be repeated (linphe:a=0.5, linphe:a=1 and linphe:a=2)",
                        "instances for each value (20)");
  command->add_option("--plot", flags->plot, "folder for a plot; needs gnuplot")->type_name("DIR");
  command->add_flag("--json", flags->json, "print JSON instead of the table");
  command->footer(examples_of_growth);
  command->callback([&chosen, flags] { chosen = [flags] { return run_growth(*flags); }; });
}

}  // namespace phe::app
