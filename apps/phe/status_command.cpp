// phe status: where a results folder stands, whoever writes it.
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <memory>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "commands.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "record/experiment_json.hpp"
#include "record/folder_status.hpp"

namespace phe::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* about_status =
    "Tell where a results folder stands: runs done, rate, time left";

constexpr const char* examples_of_status =
    R"(Reads the folder's files alone and disturbs nobody: it may be written by another process, on another
machine. A folder of results folders, as phe reproduce and phe tune make, is told part by part.

Examples:
  phe status out/linear
  watch phe status out/reproduce)";

struct StatusFlags {
  std::string folder;
  bool json = false;
};

std::string writer_text(const FolderStatus& status) {
  if (!status.session) return "";
  const auto began = static_cast<std::time_t>(status.session->began);
  return fmt::format("process {} on {}, since {:%Y-%m-%d %H:%M:%S} UTC", status.session->process,
                     status.session->host, fmt::gmtime(began));
}

std::string state_text(const FolderStatus& status) {
  const std::string last = fmt::format("last run {} ago", duration_text(status.idle));
  switch (status.state) {
    case FolderStatus::State::finished:
      return "finished";
    case FolderStatus::State::running:
      return fmt::format("written by {}; {}", writer_text(status), last);
    case FolderStatus::State::stopped:
      return fmt::format("stopped ({}); {}; the same command goes on", writer_text(status), last);
    case FolderStatus::State::unknown:
      break;
  }
  return "no run of this session yet";
}

std::string rate_text(const FolderStatus& status) {
  if (!status.rate) return "";
  std::string text = fmt::format("{:.3g} runs per second", *status.rate);
  if (status.state == FolderStatus::State::running && status.seconds_left)
    text += fmt::format(", about {} left", duration_text(*status.seconds_left));
  return text + '\n';
}

std::string status_text(const fs::path& folder, const FolderStatus& status) {
  std::string text =
      fmt::format("{}: {} of {} runs, {} %; {}\n{}", folder.string(), status.done, status.total,
                  status.total == 0 ? 100 : 100 * status.done / status.total, state_text(status),
                  rate_text(status));
  if (status.damaged > 0)
    text += counted(status.damaged, "line") + " of its journal cannot be read\n";
  std::size_t problem = 7;
  std::size_t policy = 6;
  for (const KindStatus& kind : status.kinds) {
    problem = std::max(problem, kind.problem.size());
    policy = std::max(policy, kind.policy.size());
  }
  auto out = std::back_inserter(text);
  fmt::format_to(out, "\n  {:{}}  {:{}}  {:>13}  {:>10}\n", "problem", problem, "policy", policy,
                 "done", "per run");
  for (std::size_t i = 0; i < status.kinds.size(); ++i) {
    const KindStatus& kind = status.kinds[i];
    fmt::format_to(out, "{} {:{}}  {:{}}  {:>13}  {:>10}\n", status.slowest == i ? '*' : ' ',
                   kind.problem, problem, kind.policy, policy,
                   fmt::format("{} of {}", kind.done, kind.total),
                   kind.done == 0 ? "" : fmt::format("{:.3g} s", kind.seconds_per_run));
  }
  return text + (status.slowest ? "\n* slowest\n" : "");
}

Json status_json(const fs::path& folder, const FolderStatus& status) {
  Json kinds = Json::array();
  for (const KindStatus& kind : status.kinds)
    kinds.push_back({{"problem", kind.problem},
                     {"policy", kind.policy},
                     {"done", kind.done},
                     {"of", kind.total},
                     {"seconds_per_run", kind.seconds_per_run}});
  const auto optional = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"folder", folder.string()},
          {"done", status.done},
          {"of", status.total},
          {"state", name_of(status.state)},
          {"idle_seconds", status.idle},
          {"runs_per_second", optional(status.rate)},
          {"seconds_left", optional(status.seconds_left)},
          {"damaged_lines", status.damaged},
          {"slowest", status.slowest ? kinds[*status.slowest] : Json(nullptr)},
          {"policies", kinds}};
}

int run_status(const StatusFlags& flags) {
  if (flags.folder.empty()) return bad_input("status needs a results folder, as in phe status DIR");
  Json all = Json::array();
  std::string text;
  for (const fs::path& folder : results_folders(flags.folder)) {
    const auto status = read_status(folder);
    if (!status) return bad_input(status.error().message);
    all.push_back(status_json(folder, status.value()));
    text += (text.empty() ? "" : "\n") + status_text(folder, status.value());
  }
  fmt::print("{}", flags.json ? dumped(all, 2) + '\n' : text);
  return exit_done;
}

}  // namespace

void add_status_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("status", about_status);
  const auto flags = std::make_shared<StatusFlags>();
  command->add_option("folder", flags->folder, "results folder, or a folder of them")
      ->type_name("DIR");
  command->add_flag("--json", flags->json, "print JSON instead of the table");
  command->footer(examples_of_status);
  command->callback([&chosen, flags] { chosen = [flags] { return run_status(*flags); }; });
}

}  // namespace phe::app
