// phe bound: Table 1 and Theorem 1 in numbers, beside measured regret.
#include <algorithm>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "bandit_flags.hpp"
#include "bound_report.hpp"
#include "commands.hpp"
#include "measure.hpp"
#include "output.hpp"
#include "report/gnuplot.hpp"
#include "spec/numbers.hpp"
#include "theory/bound.hpp"
#include <phe/simulate.hpp>

namespace phe::app {

namespace {

constexpr const char* about_bound =
    "The paper's Table 1 and regret bound in numbers, for one bandit; with --plot beside the "
    "regret of policies";

constexpr const char* examples_of_bound = R"(Examples:
  phe bound --problem linear:d=10,arms=100 --rounds 10000
  phe bound --problem linear:features=arms.csv,theta=theta.csv --rounds 1000000 --json
  phe bound --problem linear:d=5 --plot out/bound --policy linphe:a=0.5 --policy linphe:theory)";

constexpr CountRange horizon_range{2, 1'000'000'000'000'000'000};
constexpr std::uint64_t most_measured = 1'000'000;

struct BoundFlags {
  BanditFlags bandit;
  MeasureFlags measure;
  Typed rounds;
  std::string plot;
  bool json = false;
};

int draw_plot(const BoundFlags& flags, const BoundReport& report, std::uint64_t rounds,
              const Registry& registry) {
  Experiment experiment;
  experiment.problems = {report.bandit.problem};
  experiment.policies = flags.measure.policies;
  if (experiment.policies.empty()) experiment.policies = {"linphe:a=0.5", "linphe:theory"};
  experiment.rounds = std::min(rounds, most_measured);
  experiment.first_instance = report.bandit.number;
  experiment.seed = report.bandit.seed;
  const auto measured = measure({experiment}, flags.measure, 10, registry);
  if (!measured) return measured.exit_code;
  const auto& [plan, runs] = measured.parts[0];
  const auto drawn =
      report::draw(flags.plot, "bound", bound_plot(report, plan, curves_of(plan, runs)));
  if (!drawn) return failed(drawn.error().message);
  tell(fmt::format("{0}/bound.svg and {0}/bound.png are drawn; regret is the mean of {1} instances",
                   flags.plot, plan.experiment().instances));
  return exit_done;
}

int run_bound(const BoundFlags& flags) {
  const auto rounds = count_in("--rounds", horizon_range, flags.rounds.value_or("10000"));
  if (!rounds) return bad_input(rounds.error().message);
  const Registry registry = Registry::built_in();
  auto bandit = bandit_from(flags.bandit, registry);
  if (!bandit) return bad_input(bandit.error().message);
  const Instance& instance = *bandit->instance;
  auto setting = theory::setting_of(instance.arms(), instance.means());
  if (!setting) return bad_input(setting.error().message);
  if (!flags.measure.policies.empty() && flags.plot.empty())
    return bad_input("--policy goes with --plot");
  const auto report = bound_report(std::move(bandit).value(), static_cast<double>(rounds.value()),
                                   std::move(setting).value());
  fmt::print("{}", flags.json ? bound_json(report) : bound_text(report));
  return flags.plot.empty() ? exit_done : draw_plot(flags, report, rounds.value(), registry);
}

}  // namespace

void add_bound_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("bound", about_bound);
  const auto flags = std::make_shared<BoundFlags>();
  flags->bandit.add_to(*command);
  command->add_option("--rounds", flags->rounds, "horizon n, 2 to 10^18 (10000)")->type_name("N");
  command
      ->add_option("--plot", flags->plot,
                   "folder for a plot of the bound beside measured regret; needs gnuplot")
      ->type_name("DIR");
  flags->measure.add_to(*command,
                        "policy to measure for the plot; may be repeated (linphe:a=0.5 and "
                        "linphe:theory)",
                        "instances to measure (10)");
  command->add_flag("--json", flags->json, "print JSON instead of the table");
  command->footer(examples_of_bound);
  command->callback([&chosen, flags] { chosen = [flags] { return run_bound(*flags); }; });
}

}  // namespace phe::app
