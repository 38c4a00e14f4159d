// phe plot: draws the regret curves of finished experiments.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "commands.hpp"
#include "output.hpp"
#include "report/figure.hpp"
#include "report/results.hpp"
#include "support/error.hpp"

namespace phe::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* about_plot =
    "Draw the regret curves of results folders, with their standard error";

constexpr const char* examples_of_plot =
    R"(A panel per problem, and per folder when there are several; a line per policy, of one colour in all.

Examples:
  phe plot out/demo
  phe plot out/linear out/logistic --out regret.pdf
  phe plot out/demo --policy linphe:a=1 --policy lints --log xy --title 'Two policies' --out two.png)";

struct PlotFlags {
  std::vector<std::string> folders;
  std::string out;
  std::vector<std::string> policies;
  std::string log;
  std::string title;
};

Result<void> set_axes(const std::string& log, RegretFigure& figure) {
  if (!log.empty() && log != "x" && log != "y" && log != "xy")
    return invalid("--log must be x, y or xy, got '{}'", log);
  figure.log_rounds = log.starts_with('x');
  figure.log_regret = log.ends_with('y');
  return {};
}

fs::path file_of(const PlotFlags& flags) {
  if (!flags.out.empty()) return flags.out;
  return flags.folders.size() == 1 ? fs::path(flags.folders.front()) / "regret.svg"
                                   : fs::path("regret.svg");
}

// The policies of all folders, each once, in the order in which they come; and which are to be
// drawn.
class Legend {
 public:
  explicit Legend(const std::vector<Results>& all) {
    for (const Results& results : all)
      for (const PolicySpec& policy : results.plan.policies())
        if (!find(policy)) policies_.push_back(policy);
    shown_.assign(policies_.size(), true);
  }

  Result<void> show_only(const std::vector<std::string>& asked, const Registry& registry) {
    shown_.assign(policies_.size(), asked.empty());
    for (const std::string& spec : asked) {
      const auto at = position_of(spec, policies_, registry);
      if (!at) return at.error();
      shown_[at.value()] = true;
    }
    return {};
  }

  // The position among those that are shown, if it is.
  [[nodiscard]] std::optional<std::size_t> shown(const PolicySpec& policy) const {
    const auto at = find(policy);
    if (!at || !shown_[*at]) return std::nullopt;
    return std::ranges::count(shown_.begin(), shown_.begin() + static_cast<std::ptrdiff_t>(*at),
                              true);
  }

  // Chosen among all, so that a policy keeps its colour whichever others are shown.
  [[nodiscard]] std::vector<PolicyStyle> styles() const {
    const auto all = styles_of(policies_);
    std::vector<PolicyStyle> shown;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (shown_[i]) shown.push_back(all[i]);
    return shown;
  }

 private:
  [[nodiscard]] std::optional<std::size_t> find(const PolicySpec& policy) const {
    for (std::size_t i = 0; i < policies_.size(); ++i)
      if (policies_[i].parameters.canonical() == policy.parameters.canonical()) return i;
    return std::nullopt;
  }

  std::vector<PolicySpec> policies_;
  std::vector<bool> shown_;
};

void add_panels(const Results& results, const Legend& legend, const std::string& source,
                RegretFigure& figure) {
  for (FigurePanel& panel : panels_of(results.plan, curves_of(results.plan, results.runs))) {
    panel.source = source;
    std::vector<FigureLine> lines;
    for (FigureLine& line : panel.lines)
      if (const auto at = legend.shown(results.plan.policies()[line.policy]))
        lines.push_back({*at, std::move(line.regret)});
    panel.lines = std::move(lines);
    if (!panel.lines.empty()) figure.panels.push_back(std::move(panel));
  }
}

Result<RegretFigure> figure_of(const PlotFlags& flags, const Registry& registry) {
  RegretFigure figure{.title = flags.title, .policies = {}, .panels = {}};
  if (auto done = set_axes(flags.log, figure); !done) return done.error();
  std::vector<Results> all;
  for (const std::string& folder : flags.folders) {
    auto results = read_results(folder, registry);
    if (!results) return results.error();
    all.push_back(std::move(results).value());
  }
  Legend legend(all);
  if (auto done = legend.show_only(flags.policies, registry); !done) return done.error();
  for (const Results& results : all)
    add_panels(results, legend, all.size() > 1 ? results.folder.string() : "", figure);
  figure.policies = legend.styles();
  return figure;
}

int run_plot(const PlotFlags& flags) {
  if (flags.folders.empty()) return bad_input("plot needs a results folder (see phe plot --help)");
  const fs::path file = file_of(flags);
  if (auto done = check_figure_file(file); !done)
    return bad_input("--out: " + done.error().message);
  const Registry registry = Registry::built_in();
  const auto figure = figure_of(flags, registry);
  if (!figure) return bad_input(figure.error().message);
  std::error_code failure;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), failure);
  if (auto done = draw_figure_file(figure.value(), file); !done)
    return failed(done.error().message);
  fmt::print("{}\n", file.string());
  return exit_done;
}

}  // namespace

void add_plot_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("plot", about_plot);
  const auto flags = std::make_shared<PlotFlags>();
  command->add_option("folders", flags->folders, "results folders, finished")->type_name("DIR");
  command
      ->add_option("--out", flags->out,
                   "figure to make, .svg, .png or .pdf (DIR/regret.svg; regret.svg of several)")
      ->type_name("FILE")
      ->take_last();
  command->add_option("--policy", flags->policies, "policy to show; may be repeated (all)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command->add_option("--log", flags->log, "axes that are logarithmic: x, y or xy (none)")
      ->type_name("AXES")
      ->take_last();
  command->add_option("--title", flags->title, "title above all panels")
      ->type_name("TEXT")
      ->take_last();
  command->footer(examples_of_plot);
  command->callback([&chosen, flags] { chosen = [flags] { return run_plot(*flags); }; });
}

}  // namespace phe::app
