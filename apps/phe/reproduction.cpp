#include "reproduction.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "do_runs.hpp"
#include "output.hpp"
#include "record/curves.hpp"
#include "report/costs.hpp"
#include "report/figure.hpp"
#include "runner.hpp"
#include "spec/check_policies.hpp"
#include "spec/plan_memory.hpp"
#include "support/text.hpp"

namespace phe::app {

namespace fs = std::filesystem;

Result<Reproduction> Reproduction::create(ReproduceRequest request, Machine machine,
                                          const Registry& registry) {
  Reproduction reproduction(std::move(request.out), std::move(machine));
  for (PaperExperiment& paper : request.experiments) {
    auto plan = Plan::create(paper.experiment, registry);
    if (!plan) return plan.error();
    if (auto done = check_plan_memory(plan.value(), reproduction.machine_.threads, true); !done)
      return done.error();
    if (auto done = check_policies(plan.value()); !done) return done.error();
    reproduction.parts_.push_back(
        {std::move(paper), std::make_unique<const Plan>(std::move(plan).value()), std::nullopt});
  }
  return reproduction;
}

Result<void> Reproduction::open() {
  for (Part& part : parts_) {
    auto folder = ResultsFolder::open(out_ / part.paper.name, *part.plan);
    if (!folder) return folder.error();
    part.folder = std::move(folder).value();
    had_ += part.folder->runs().size();
  }
  return {};
}

void Reproduction::announce(bool quiet) const {
  for (const Part& part : parts_) {
    for (const std::string& warning : part.folder->warnings()) tell(warning);
    if (!quiet) phe::app::announce(*part.folder, part.folder->missing().size());
  }
}

Result<bool> Reproduction::run(bool quiet) {
  std::vector<Work> works;
  for (Part& part : parts_) {
    if (auto done = part.folder->prepare(); !done) return done.error();
    works.push_back({part.plan.get(), &part.folder->runs(), part.folder->missing(),
                     [this, &part](const RunResult& run) {
                       ++did_;
                       did_seconds_ += run.seconds;
                       return part.folder->add(run);
                     }});
  }
  const auto nothing_missing = [](const Work& work) { return work.missing.empty(); };
  if (!std::ranges::all_of(works, nothing_missing)) {
    auto complete = do_runs(works, machine_.threads, quiet);
    if (!complete || !complete.value()) return complete;
  }
  for (Part& part : parts_)
    if (auto done = part.folder->finish(machine_); !done) return done.error();
  return true;
}

std::string Reproduction::interrupted_text() const {
  std::size_t total = 0;
  for (const Part& part : parts_) total += part.plan->runs().size();
  return fmt::format("interrupted: {} of {} runs are kept in {}; the same command goes on",
                     had_ + did_, total, out_.string());
}

fs::path Reproduction::report_path() const { return out_ / "report.html"; }

fs::path Reproduction::figure_name(const Part& part) const {
  return out_ / ("figure-" + part.paper.name);
}

bool Reproduction::is_reported() const {
  const auto present = [](const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
  };
  return did_ == 0 && present(report_path()) && present(out_ / "tables.md") &&
         std::ranges::all_of(parts_, [&](const Part& part) {
           return present(figure_name(part).string() + ".svg") &&
                  present(figure_name(part).string() + ".png");
         });
}

Result<Figure> Reproduction::draw(const Part& part, const std::vector<Curve>& curves) const {
  const fs::path script = part.folder->path() / "figure.gp";
  const fs::path name = figure_name(part);
  if (auto done = write_file(script, figure_script(regret_figure(*part.plan, curves))); !done)
    return done.error();
  if (auto done = draw_figure(script, name); !done) return done.error();
  auto wide = read_file(name.string() + ".svg");
  if (!wide) return wide.error();
  auto narrow = read_file(name.string() + "-narrow.svg");
  if (!narrow) return narrow.error();
  return Figure{std::move(wide).value(), std::move(narrow).value()};
}

Result<Costs> Reproduction::costs() const {
  Costs costs;
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  costs.wall_seconds = std::chrono::duration<double>(elapsed).count();
  costs.cpu_seconds = cpu_seconds();
  costs.outside_seconds = costs.cpu_seconds - did_seconds_;
  for (const Part& part : parts_) {
    const auto overhead = round_overhead_seconds(*part.plan);
    if (!overhead) return overhead.error();
    const auto rounds = part.plan->experiment().rounds * part.folder->runs().size();
    costs.outside_seconds += overhead.value() * static_cast<double>(rounds);
  }
  return costs;
}

std::vector<ClaimVerdict> Reproduction::verdicts() const {
  const auto claims = paper_claims();
  std::vector<ClaimVerdict> verdicts;
  for (const Part& part : parts_)
    for (auto& verdict : judge_claims(claims, part.paper.name, *part.plan, part.folder->runs()))
      verdicts.push_back(std::move(verdict));
  return verdicts;
}

Result<void> Reproduction::write_report(const std::string& command) {
  if (is_reported()) return {};
  Report report{.experiments = {},
                .verdicts = verdicts(),
                .machine = machine_,
                .command = command,
                .costs = {}};
  Result<void> drawn;
  for (const Part& part : parts_) {
    auto& reported = report.experiments.emplace_back(
        ReportedExperiment{.title = part.paper.title,
                           .plan = part.plan.get(),
                           .curves = curves_of(*part.plan, part.folder->runs()),
                           .figure = {}});
    auto figure = draw(part, reported.curves);
    if (figure)
      reported.figure = std::move(figure).value();
    else
      drawn = figure.error();
  }
  if (had_ == 0 && !runner().elsewhere) {
    const auto measured = costs();
    if (!measured) return measured.error();
    report.costs = measured.value();
  }
  if (auto done = write_file(out_ / "tables.md", report_markdown(report)); !done) return done;
  if (auto done = write_file(report_path(), report_html(report)); !done) return done;
  return drawn;
}

}  // namespace phe::app
