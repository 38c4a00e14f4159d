#include "report/figure.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>

#include <fmt/format.h>

#include "report/gnuplot.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 3> endings = {".svg", ".png", ".pdf"};

// Under another name first, so that a figure is there as a whole or not at all.
fs::path draft_of(const fs::path& name) {
  return name.parent_path() / (".draft-" + name.filename().string());
}

// "Linear bandit, d = 5, K = 100", and what else was asked for, as in "noise=beta" or "contexts".
std::string heading_of(const ProblemSpec& spec) {
  std::string name = problem_label(spec);
  const auto colon = std::min(name.find(':'), name.size());
  std::string more = name.substr(colon);
  if (!more.empty()) more.replace(0, 1, ", ");
  for (auto flag = more.find("=true"); flag != more.npos; flag = more.find("=true"))
    more.erase(flag, 5);
  name.resize(colon);
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return fmt::format("{} bandit, d = {}, K = {}{}", name, spec.problem->dimension(),
                     spec.problem->arms(), more);
}

Result<void> move_to_place(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::rename(from, to, failed);
  if (failed) return invalid("{}: {}", to.string(), failed.message());
  return {};
}

}  // namespace

std::vector<FigurePanel> panels_of(const Plan& plan, const std::vector<Curve>& curves) {
  std::vector<FigurePanel> panels;
  for (std::size_t i = 0; i < plan.problems().size(); ++i) {
    const ProblemSpec& problem = plan.problems()[i];
    FigurePanel& panel = panels.emplace_back(FigurePanel{.heading = heading_of(problem),
                                                         .instances = plan.experiment().instances,
                                                         .rounds = plan.checkpoints(),
                                                         .lines = {}});
    for (const Curve& curve : curves)
      if (curve.problem == i) panel.lines.push_back({curve.policy, curve.regret});
  }
  return panels;
}

RegretFigure regret_figure(const Plan& plan, const std::vector<Curve>& curves) {
  return {.title = {}, .policies = styles_of(plan.policies()), .panels = panels_of(plan, curves)};
}

Result<void> draw_figure(const fs::path& script, const fs::path& name) {
  const fs::path draft = draft_of(name);
  if (auto drawn = report::run_gnuplot(".", {"-c", script.string(), draft.string()}); !drawn)
    return drawn;
  for (const char* const ending : {".svg", ".png", "-narrow.svg"})
    if (auto done = move_to_place(draft.string() + ending, name.string() + ending); !done)
      return done;
  return {};
}

Result<void> check_figure_file(const fs::path& file) {
  if (std::ranges::count(endings, file.extension().string()) == 1) return {};
  return invalid("a figure must end in {}, got '{}'", fmt::join(endings, ", "), file.string());
}

Result<void> draw_figure_file(const RegretFigure& figure, const fs::path& file) {
  return draw_script_file(figure_script(figure), file);
}

Result<void> draw_script_file(const std::string& text, const fs::path& file) {
  if (auto done = check_figure_file(file); !done) return done;
  const std::string ending = file.extension().string();
  const fs::path draft = draft_of(file.parent_path() / file.stem());
  const fs::path script = draft.string() + ".gp";
  if (auto done = write_file(script, text); !done) return done;
  auto drawn = report::run_gnuplot(".", {"-c", script.string(), draft.string(), ending.substr(1)});
  std::error_code ignored;
  fs::remove(script, ignored);
  if (!drawn) return drawn;
  return move_to_place(draft.string() + ending, file);
}

}  // namespace phe
