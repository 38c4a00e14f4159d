// phe tune: which policy, with which parameters, for a problem?
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "commands.hpp"
#include "do_runs.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "report/gnuplot.hpp"
#include "support/text.hpp"
#include "tune_bench.hpp"
#include "tune_flags.hpp"
#include "tune_report.hpp"
#include <phe/simd.hpp>

namespace phe::app {

namespace {

constexpr const char* about_tune =
    "Find the policy and its parameters that do best on a problem, or on a log";

constexpr const char* examples_of_tune =
    R"(Points are spread over each range on a logarithmic scale, then put around the best, in three stages.
Each stage is a race on instances of its own: points that are significantly worse than the best of their
policy leave. What is found is compared on instances that tuning did not see, with intervals corrected
for their number. A policy without a range is only compared.

On a log, instances are random halves of its rows, and the last two fifths of the rows are kept for the
comparison (docs/tuning.md).

Examples:
  phe tune --problem linear:d=10 --policy linphe:a=0.01..4 --policy linucb:width=0.05..4 --budget 60s
  phe tune --problem linear:d=5 --policy 'linphe:a=0.02..2,centred=true|false' --policy lints \
      --budget 5000 --out out/tune
  phe tune --log log.jsonl --objective snips --policy linphe:a=0.01..4 --policy lints --budget 500)";

// One line that is written over on a terminal; else a line per stage.
class Telling {
 public:
  explicit Telling(bool quiet) : quiet_(quiet), on_terminal_(::isatty(STDERR_FILENO) != 0) {}

  void operator()(const tune::News& news) {
    const std::string text = fmt::format(
        "stage {} of {}: {} of {} points in the race, {} runs, {:.0f} % of the budget",
        news.stage + 1, tune::stages, news.left, news.points, news.runs, 100 * news.spent);
    if (quiet_) return;
    if (on_terminal_) say("\r\x1b[K" + text);
    if (!on_terminal_ && news.stage != stage_ && !last_.empty()) say(last_ + '\n');
    stage_ = news.stage;
    last_ = text;
  }
  void end() const {
    if (quiet_ || last_.empty()) return;
    say(on_terminal_ ? std::string("\r\x1b[K") : last_ + '\n');
  }

 private:
  bool quiet_;
  bool on_terminal_;
  std::size_t stage_ = 0;
  std::string last_;
};

// The page with its figure. Without gnuplot the page has none, and that is an error.
Result<void> write_page(const TuneReport& report, const std::filesystem::path& folder) {
  const auto drawn = report::draw(folder, "tune", tune_plot(report));
  auto svg = drawn ? read_file(folder / "tune.svg") : Result<std::string>(std::string());
  if (!svg) return svg.error();
  if (auto done = write_file(folder / "tune.html", tune_page(report, svg.value())); !done)
    return done;
  return drawn;
}

std::string interrupted_text(const TuneBench& bench, const TuneFlags& flags) {
  return flags.out
             ? fmt::format("interrupted: {} new runs are kept in {}; the same command goes on",
                           bench.did(), *flags.out)
             : "interrupted; give --out to keep the runs";
}

// The tables of the final comparison and the page.
int keep(const TuneReport& report, TuneBench& bench, const std::filesystem::path& out,
         const Machine& machine) {
  const bool on_log = report.measured.reward;  // its runs are no experiment: no tables of regret
  if (!on_log)
    if (auto done = bench.finish(report.tuned->plan, machine); !done)
      return failed(done.error().message);
  const auto written = write_page(report, out);
  std::fflush(stdout);  // so that the table stands before this
  if (!written) return failed(written.error().message);
  say(fmt::format("\n{} shows it", (out / "tune.html").string()));
  if (!on_log)
    say(fmt::format("; phe plot {} draws the comparison",
                    shell_word(bench.last_folder().string())));
  say("\n");
  return exit_done;
}

// What is tuned on, and who does the runs.
struct Subject {
  Registry registry = Registry::built_in();
  TuneBench::Simulate simulate = runner().simulate;
  std::string name;
  std::optional<tune::LogTrials> log;
};

// Of a log, runs are done by this process alone.
Result<void> read_log_into(Subject& subject, tune::Request& request, const TuneFlags& flags) {
  auto trials = trials_from(flags);
  if (!trials) return trials.error();
  const auto identity = log_identity(flags);
  if (!identity) return identity.error();
  subject.log = std::move(trials).value();
  subject.registry.add(subject.log->problem(identity.value()));
  subject.simulate = [&log = *subject.log](const Plan& plan, const std::vector<RunId>& ids,
                                           const SimulateOptions& options) {
    return log.simulate(plan, ids, options);
  };
  subject.name =
      fmt::format("{} by {}", fmt::join(flags.files, ", "), subject.log->objective().name);
  request.problem = "log:identity=" + identity.value();
  tell_skipped(subject.log->log().lines());
  return {};
}

Result<TuneReport> report_of(const tune::Request& request, const tune::Tuned& tuned,
                             const Subject& subject, const TuneFlags& flags) {
  TuneReport report{.request = &request,
                    .tuned = &tuned,
                    .command = flags.command_line(),
                    .subject = subject.name,
                    .measured = {.reward = subject.log.has_value()}};
  if (!subject.log) return report;
  auto warnings =
      subject.log->warnings(tuned.plan.policies()[tuned.winner].text, request.rounds, request.seed);
  if (!warnings) return warnings.error();
  report.warnings = std::move(warnings).value();
  return report;
}

int tune_all(const tune::Request& request, const Subject& subject, const TuneFlags& flags) {
  std::optional<std::filesystem::path> out;
  if (flags.out) out = *flags.out;
  TuneBench bench(out, request.workers, subject.simulate);
  Telling telling(flags.quiet);
  const auto tuned = tune::tune(
      request, subject.registry,
      [&](std::size_t stage, const Plan& plan, const std::vector<RunId>& ids, Runs& runs) {
        return bench.run(stage, plan, ids, runs);
      },
      [&](const tune::News& news) { telling(news); });
  telling.end();
  if (!tuned)
    return bench.did() == 0 ? bad_input(tuned.error().message) : failed(tuned.error().message);
  if (!tuned->has_value()) {
    tell(interrupted_text(bench, flags));
    return exit_interrupted;
  }
  const auto report = report_of(request, *tuned.value(), subject, flags);
  if (!report) return failed(report.error().message);
  fmt::print("{}", flags.json ? tune_json(report.value()) : tune_text(report.value()));
  return out ? keep(report.value(), bench, *out, machine_with(flags.simd, request.workers))
             : exit_done;
}

int run_tune(const TuneFlags& flags) {
  if (auto done = use_simd_target(flags.simd); !done) return bad_input(done.error().message);
  auto request = request_from(flags);
  if (!request) return bad_input(request.error().message);
  Subject subject;
  subject.name = request->problem;
  if (flags.on_log())
    if (auto done = read_log_into(subject, request.value(), flags); !done)
      return bad_input(done.error().message);
  catch_interrupts();
  return tune_all(request.value(), subject, flags);
}

}  // namespace

void add_tune_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("tune", about_tune);
  const auto flags = std::make_shared<TuneFlags>();
  flags->add_to(*command);
  command->footer(examples_of_tune);
  command->callback([&chosen, flags] { chosen = [flags] { return run_tune(*flags); }; });
}

}  // namespace phe::app
