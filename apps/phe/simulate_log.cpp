#include "simulate_log.hpp"

#include <fmt/format.h>

#include "interrupt.hpp"
#include "logs/log_run.hpp"
#include "output.hpp"
#include "record/experiment_json.hpp"
#include "simulate_flags.hpp"

namespace phe::app {

namespace {

struct Totals {
  std::uint64_t runs = 0;
  double reward = 0.0;
  double regret = 0.0;
  std::uint64_t capped = 0;
};

std::string report(const Plan& plan, const SimulateFlags& flags, const Totals& totals) {
  const std::uint64_t rounds = plan.experiment().rounds;
  const double decisions = static_cast<double>(totals.runs) * static_cast<double>(rounds);
  const double regret = totals.regret / static_cast<double>(totals.runs);
  if (flags.json)
    return dumped({{"log", *flags.log},
                   {"runs", totals.runs},
                   {"rounds", rounds},
                   {"mean_reward", totals.reward / decisions},
                   {"mean_regret", regret},
                   {"capped", totals.capped}},
                  2) +
           '\n';
  std::string text =
      fmt::format("{}: {} runs of {} rounds; mean reward {:.6g}, mean regret of a run {:.6g}\n",
                  *flags.log, totals.runs, rounds, totals.reward / decisions, regret);
  if (totals.capped > 0)
    text += fmt::format("resampling stopped at its cap in {} rounds\n", totals.capped);
  return text;
}

}  // namespace

int simulate_log(const Plan& plan, const SimulateFlags& flags) {
  if (plan.problems().size() != 1 || plan.policies().size() != 1)
    return bad_input("--log writes the decisions of one policy on one problem");
  if (flags.out) return bad_input("--log cannot be together with --out");
  const auto options = logs::parse_decide(flags.decide.value_or(""));
  if (!options) return bad_input(options.error().message);
  auto writer = logs::LogWriter::create(*flags.log);
  if (!writer) return bad_input(writer.error().message);
  Totals totals;
  for (const RunId& id : plan.runs()) {
    if (interrupted()) {
      tell("interrupted: no log is written");
      return exit_interrupted;
    }
    const auto run = logs::log_run(plan, id, options.value(), writer.value());
    if (!run) return bad_input(run.error().message);
    ++totals.runs;
    totals.reward += run->reward;
    totals.regret += run->regret;
    totals.capped += run->capped;
  }
  if (auto done = writer->finish(); !done) return failed(done.error().message);
  fmt::print("{}", report(plan, flags, totals));
  return exit_done;
}

}  // namespace phe::app
