#include "report/figure.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/embedded.hpp"
#include "report/policy_style.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace fs = std::filesystem;

namespace {

// A gnuplot string; nothing is special between single quotes but the quote.
std::string gnuplot_string(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + '\'';
}

template <class Values>
std::string array_of(std::string_view name, const Values& values) {
  return fmt::format("array {}[{}] = [{}]\n", name, values.size(), fmt::join(values, ", "));
}

std::string styles(const Plan& plan) {
  std::vector<std::string> labels;
  std::vector<std::string> colours;
  std::vector<int> dashes;
  std::vector<int> markers;
  for (std::size_t i = 0; i < plan.policies().size(); ++i) {
    const PolicyStyle style = style_of(plan.policies()[i].text, i);
    labels.push_back(gnuplot_string(style.label));
    colours.push_back(gnuplot_string(style.colour));
    dashes.push_back(style.dash);
    markers.push_back(style.marker);
  }
  return array_of("label", labels) + array_of("colour", colours) + array_of("dash", dashes) +
         array_of("marker", markers);
}

std::string headings(const Plan& plan) {
  std::vector<std::string> headings;
  for (const ProblemSpec& problem : plan.problems())
    headings.push_back(
        gnuplot_string(fmt::format("{} bandit, d = {}, K = {}", problem_label(problem),
                                   problem.problem->dimension(), problem.problem->arms())));
  return array_of("heading", headings);
}

std::string note(const Plan& plan) {
  const Experiment& experiment = plan.experiment();
  if (experiment.instances == 1) return "One random instance.";
  return fmt::format("Mean over {} random instances; shaded: its standard error.",
                     experiment.instances);
}

// Two blank lines end a block.
std::string data(const Plan& plan, const std::vector<Curve>& curves) {
  std::string text = "$curves << EOD\n";
  auto out = std::back_inserter(text);
  for (const Curve& curve : curves) {
    fmt::format_to(out, "0 0 0\n");
    for (std::size_t c = 0; c < curve.regret.size(); ++c)
      fmt::format_to(out, "{} {:.8g} {:.8g}\n", plan.checkpoints()[c], curve.regret[c].mean,
                     curve.regret[c].standard_error);
    fmt::format_to(out, "\n\n");
  }
  return text + "EOD\n";
}

// Runs gnuplot with its messages in `log`; its exit code, or the reason why it could not start.
Result<int> run_gnuplot(const fs::path& script, const fs::path& name, const fs::path& log) {
  std::array<std::string, 4> words = {"gnuplot", "-c", script.string(), name.string()};
  std::array<char*, 5> arguments = {words[0].data(), words[1].data(), words[2].data(),
                                    words[3].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int failure =
      ::posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT)
    return invalid("gnuplot was not found, so there are no figures; install gnuplot-nox");
  if (failure != 0) return invalid("gnuplot could not be started: {}", std::strerror(failure));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return invalid("gnuplot: {}", std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string figure_script(const Plan& plan, const std::vector<Curve>& curves) {
  std::string text = fmt::format("panels = {}\npolicies = {}\ncheckpoints = {}\nnote = {}\n",
                                 plan.problems().size(), plan.policies().size(),
                                 plan.checkpoints().size(), gnuplot_string(note(plan)));
  return text + headings(plan) + styles(plan) + data(plan, curves) +
         std::string(embedded::figure_gp);
}

Result<void> draw_figure(const fs::path& script, const fs::path& name) {
  // Under another name first, so that a figure is there as a whole or not at all.
  const fs::path draft = name.parent_path() / (".draft-" + name.filename().string());
  const fs::path log = draft.string() + ".log";
  const auto exit_code = run_gnuplot(script, draft, log);
  if (!exit_code) return exit_code.error();
  std::error_code ignored;
  if (exit_code.value() != 0) {
    const auto said = read_file(log);
    return invalid("gnuplot failed on {}: {}", script.string(),
                   said ? std::string(trim(said.value())) : "no message");
  }
  fs::remove(log, ignored);
  for (const char* const ending : {".svg", ".png", "-narrow.svg"}) {
    std::error_code failed;
    fs::rename(draft.string() + ending, name.string() + ending, failed);
    if (failed) return invalid("{}{}: {}", name.string(), ending, failed.message());
  }
  return {};
}

}  // namespace phe
