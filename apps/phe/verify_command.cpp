// phe verify: Monte-Carlo checks of what the proofs claim.
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "bandit_flags.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "report/gnuplot.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "theory/verify.hpp"
#include "verify_report.hpp"

namespace phe::app {

namespace {

constexpr const char* about_verify =
    "Check the claims of the paper's proofs by Monte Carlo, on states of a running LinPHE. Exit "
    "code 1 when a claim is refuted";

constexpr const char* examples_of_verify = R"(Examples:
  phe verify
  phe verify --problem linear:d=10,arms=100 --rounds 10000 --a 1 --ridge 1
  phe verify --centred --draws 100000 --plot out/verify)";

struct VerifyFlags {
  BanditFlags bandit;
  Typed rounds;
  Typed runs;
  Typed draws;
  Typed a;
  Typed ridge;
  Typed confidence;
  bool centred = false;
  Typed threads;
  std::string plot;
  bool json = false;
  bool quiet = false;
};

Result<void> read_real(const char* flag, const Typed& text, double& into) {
  if (!text) return {};
  const auto value = parse_number<double>(*text);
  if (!value || !std::isfinite(*value))
    return invalid("{} must be a number, got '{}'", flag, *text);
  into = *value;
  return {};
}

// Table 1's a and lambda where the flags do not say otherwise: unshifted when pseudo-rewards are
// centred, else shifted with the lambda that makes the bound smallest.
Result<void> fill_from_theory(const VerifyFlags& flags, const Instance& instance,
                              theory::VerifyOptions& options) {
  if (flags.a && flags.ridge) return {};
  const auto setting = theory::setting_of(instance.arms(), instance.means());
  if (!setting) return setting.error();
  const auto n = static_cast<double>(options.rounds);
  if (flags.a) {
    options.ridge = setting->geometry.table_ridge();
    return {};
  }
  if (flags.ridge) return invalid("--ridge needs --a beside it");
  const auto reading = flags.centred ? theory::Reading::unshifted : theory::Reading::smaller_ridge;
  const auto table = theory::table_1(reading, n, setting.value());
  if (!table)
    return invalid(
        "no s has x's = 1 for every arm, so theta* cannot be shifted by a/2: give --centred");
  options.a = table->a;
  options.ridge = table->lambda;
  return {};
}

Result<theory::VerifyOptions> options_from(const VerifyFlags& flags, const Instance& instance) {
  theory::VerifyOptions options;
  options.centred = flags.centred;
  options.threads = default_threads();
  for (auto& done :
       {read_count("--rounds", {3, 10'000'000}, flags.rounds, options.rounds),
        read_count("--runs", {1, 1'000'000}, flags.runs, options.runs),
        read_count("--draws", {100, 10'000'000}, flags.draws, options.draws),
        read_count("--threads", threads_range, flags.threads, options.threads),
        read_real("--a", flags.a, options.a), read_real("--ridge", flags.ridge, options.ridge),
        read_real("--confidence", flags.confidence, options.confidence)})
    if (!done) return done.error();
  if (auto done = fill_from_theory(flags, instance, options); !done) return done.error();
  return options;
}

constexpr Workload::Kind watched_run{};

Workload workload_of(const theory::VerifyOptions& options) {
  Workload work;
  for (std::uint64_t run = 0; run < options.runs; ++run) work.expect(watched_run);
  return work;
}

int run_verify(const VerifyFlags& flags) {
  const Registry registry = Registry::built_in();
  const auto bandit = bandit_from(flags.bandit, registry);
  if (!bandit) return bad_input(bandit.error().message);
  auto options = options_from(flags, *bandit->instance);
  if (!options) return bad_input(options.error().message);
  Progress progress(Progress::style_for(flags.quiet), workload_of(options.value()));
  options->on_run = [&](double seconds) { progress.step(watched_run, seconds); };
  const auto report = theory::verify(*bandit->instance, options.value(), bandit->key);
  progress.end();
  if (!report) return bad_input(report.error().message);
  fmt::print("{}", flags.json ? verify_json(bandit.value(), options.value(), report.value())
                              : verify_text(bandit.value(), options.value(), report.value()));
  if (!flags.plot.empty()) {
    const auto drawn = report::draw(flags.plot, "verify",
                                    verify_plot(bandit.value(), options.value(), report.value()));
    if (!drawn) return failed(drawn.error().message);
    tell(fmt::format("{0}/verify.svg and {0}/verify.png are drawn", flags.plot));
  }
  return theory::all_hold(report->checks) ? exit_done : exit_failed;
}

}  // namespace

void add_verify_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("verify", about_verify);
  const auto flags = std::make_shared<VerifyFlags>();
  flags->bandit.problem = "linear:d=5,arms=20";
  flags->bandit.add_to(*command);
  const auto option = [&](const char* name, Typed& into, const char* meaning, const char* type) {
    command->add_option(name, into, meaning)->type_name(type);
  };
  option("--rounds", flags->rounds, "horizon n (1000)", "N");
  option("--runs", flags->runs, "runs, for Lemmas 3 and 5 (200)", "N");
  option("--draws", flags->draws, "draws of theta-tilde in each state (20000)", "N");
  option("--a", flags->a, "perturbation scale, a whole number (Table 1's)", "N");
  option("--ridge", flags->ridge, "lambda, > 0 (Table 1's)", "X");
  option("--confidence", flags->confidence, "of the whole report (0.999)", "X");
  command->add_flag("--centred", flags->centred, "pseudo-rewards of mean 0 instead of 1/2");
  command->add_option("--plot", flags->plot, "folder for a plot of the tails; needs gnuplot")
      ->type_name("DIR");
  add_threads(*command, flags->threads);
  command->add_flag("--json", flags->json, "print JSON instead of the table");
  add_quiet(*command, flags->quiet);
  command->footer(examples_of_verify);
  command->callback([&chosen, flags] { chosen = [flags] { return run_verify(*flags); }; });
}

}  // namespace phe::app
