#include "record/folder_status.hpp"

#include <algorithm>
#include <chrono>

#include <sys/stat.h>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

constexpr double quiet_after = 60.0;  // seconds after which a writer elsewhere is not seen any more

std::vector<KindStatus> kinds_of(const JournalContents& journal) {
  const Experiment& e = journal.header.experiment;
  std::vector<KindStatus> kinds;
  for (const std::string& problem : e.problems)
    for (const std::string& policy : e.policies)
      kinds.push_back({problem, policy, 0, e.instances, 0.0, 0.0});
  double seconds = 0.0;
  for (const auto& [id, run] : journal.runs) {
    KindStatus& kind = kinds[id.problem * e.policies.size() + id.policy];
    ++kind.done;
    kind.seconds_per_run += run.seconds;
    seconds += run.seconds;
  }
  const double any =
      journal.runs.empty() ? 0.0 : seconds / static_cast<double>(journal.runs.size());
  for (KindStatus& kind : kinds) {
    if (kind.done > 0) kind.seconds_per_run /= static_cast<double>(kind.done);
    kind.seconds_left =
        static_cast<double>(kind.total - kind.done) * (kind.done > 0 ? kind.seconds_per_run : any);
  }
  return kinds;
}

FolderStatus::State state_of(const FolderStatus& status) {
  using State = FolderStatus::State;
  if (status.done == status.total) return State::finished;
  if (!status.session) return State::unknown;
  double longest = 0.0;
  for (const KindStatus& kind : status.kinds) longest = std::max(longest, kind.seconds_per_run);
  const bool alive =
      status.session->is_alive().value_or(status.idle < std::max(quiet_after, 5.0 * longest));
  return alive ? State::running : State::stopped;
}

}  // namespace

FolderStatus status_of(const JournalContents& journal, const std::optional<Session>& session,
                       double written, double now) {
  FolderStatus status;
  status.kinds = kinds_of(journal);
  status.done = journal.runs.size();
  for (const KindStatus& kind : status.kinds) status.total += kind.total;
  status.damaged = journal.damaged_lines.size();
  status.session = session;
  status.idle = std::max(0.0, now - written);
  status.state = state_of(status);
  const auto slowest = std::ranges::max_element(status.kinds, {}, &KindStatus::seconds_per_run);
  if (slowest != status.kinds.end() && slowest->done > 0)
    status.slowest = static_cast<std::size_t>(slowest - status.kinds.begin());
  if (!session || status.done <= session->had) return status;
  const double end = status.state == FolderStatus::State::running ? now : written;
  const double passed = std::max(end - static_cast<double>(session->began), 1.0);
  status.rate = static_cast<double>(status.done - session->had) / passed;
  double did = -session->had_seconds;
  for (const auto& [id, run] : journal.runs) did += run.seconds;
  double left = 0.0;
  for (const KindStatus& kind : status.kinds) left += kind.seconds_left;
  if (did > 0.0) status.seconds_left = left / did * passed;
  return status;
}

Result<FolderStatus> read_status(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    return invalid("{}: there is no such folder", folder.string());
  auto journal = read_journal(folder / "runs.log");
  if (!journal) return journal.error();
  struct stat file {};
  ::stat((folder / "runs.log").c_str(), &file);
  const auto text = read_file(folder / ".lock");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return status_of(
      journal.value(), text ? session_from(text.value()) : std::nullopt,
      static_cast<double>(file.st_mtim.tv_sec) + 1e-9 * static_cast<double>(file.st_mtim.tv_nsec),
      std::chrono::duration<double>(now).count());
}

std::vector<std::filesystem::path> results_folders(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::exists(folder / "runs.log", ignored)) return {folder};
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (fs::exists(entry.path() / "runs.log", ignored)) folders.push_back(entry.path());
  std::ranges::sort(folders);
  if (folders.empty()) folders.push_back(folder);
  return folders;
}

std::string_view name_of(FolderStatus::State state) noexcept {
  switch (state) {
    case FolderStatus::State::finished:
      return "finished";
    case FolderStatus::State::running:
      return "running";
    case FolderStatus::State::stopped:
      return "stopped";
    case FolderStatus::State::unknown:
      break;
  }
  return "unknown";
}

}  // namespace phe
