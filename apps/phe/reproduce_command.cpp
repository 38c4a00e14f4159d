// phe reproduce: the paper's experiments, their figures, and a verdict on every claim.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "do_runs.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "record/results_folder.hpp"
#include "report/claims.hpp"
#include "reproduce_flags.hpp"
#include "reproduction.hpp"
#include "spec/check_policies.hpp"
#include <phe/simd.hpp>

namespace phe::app {

namespace {

constexpr const char* about_reproduce =
    "Run the paper's experiments: figures, tables, a verdict on each claim";

constexpr const char* examples_of_reproduce =
    R"(Writes report.html and the figures into the folder, and each experiment's results below it.
Every finished run is kept: interrupt with Ctrl-C, continue with the same command.

Examples:
  phe reproduce
  phe reproduce --quick --only linear
  phe reproduce --threads 8 --out out/reproduce --strict)";

void print_verdicts(const std::vector<ClaimVerdict>& verdicts) {
  for (const auto& [claim, verdict, judgements] : verdicts)
    fmt::print("{:3}  {:50}  d = {:2}  {}\n", claim.number, claim.text, claim.dimension,
               name_of(verdict));
}

int conclude(const std::vector<ClaimVerdict>& verdicts, bool strict) {
  print_verdicts(verdicts);
  const auto failing = std::ranges::count(verdicts, Verdict::does_not_hold, &ClaimVerdict::verdict);
  if (!strict || failing == 0) return exit_done;
  return failed(fmt::format("{} of {} claims do not hold (--strict)", failing, verdicts.size()));
}

int reproduce(Reproduction& reproduction, const ReproduceFlags& flags) {
  if (auto done = reproduction.open(); !done) return bad_input(done.error().message);
  reproduction.announce(flags.quiet);
  const auto complete = reproduction.run(flags.quiet);
  if (!complete) return failed(complete.error().message);
  if (!complete.value()) {
    tell(reproduction.interrupted_text());
    return exit_interrupted;
  }
  const auto written = reproduction.write_report(flags.command_line());
  const int code = conclude(reproduction.verdicts(), flags.strict);
  fmt::print("\n{}\n", reproduction.report_path().string());
  return written ? code : failed(written.error().message);
}

int run_reproduce(const ReproduceFlags& flags) {
  if (auto done = use_simd_target(flags.simd); !done) return bad_input(done.error().message);
  auto request = request_from(flags);
  if (!request) return bad_input(request.error().message);
  const Machine machine = machine_with(flags.simd, request->threads);
  const Registry registry = Registry::built_in();
  auto reproduction = Reproduction::create(std::move(request).value(), machine, registry);
  if (!reproduction) return bad_input(reproduction.error().message);
  catch_interrupts();
  return reproduce(reproduction.value(), flags);
}

}  // namespace

void add_reproduce_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("reproduce", about_reproduce);
  const auto flags = std::make_shared<ReproduceFlags>();
  flags->add_to(*command);
  command->footer(examples_of_reproduce);
  command->callback([&chosen, flags] { chosen = [flags] { return run_reproduce(*flags); }; });
}

}  // namespace phe::app
