#include "record/results_folder.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <span>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>

#include "record/curves.hpp"
#include "record/inputs.hpp"
#include "record/renumber.hpp"
#include "record/session.hpp"
#include "record/tables.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace fs = std::filesystem;

namespace {

constexpr const char* journal_name = "runs.log";
constexpr std::array<const char*, 3> finished_files = {"regret.csv", "runs.csv", "manifest.json"};

bool present(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Whether `file` is empty, or the beginning of `text`: a header whose writer was killed.
bool is_torn(const fs::path& file, std::string_view text) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  if (failed || size >= text.size()) return false;
  const auto begun = read_file(file);
  return begun && text.starts_with(begun.value());
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  std::error_code unknown;
  if (failed && !fs::is_directory(folder, unknown))
    return invalid("{}: cannot be made a folder: {}", folder.string(), failed.message());
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return invalid("{}: cannot be written to: {}", folder.string(), std::strerror(errno));
  return {};
}

Result<void> remove_files(const fs::path& folder, std::span<const char* const> names) {
  for (const char* const name : names) {
    std::error_code failed;
    fs::remove(folder / name, failed);
    if (failed) return invalid("{}: {}", (folder / name).string(), failed.message());
  }
  return {};
}

}  // namespace

Result<ResultsFolder> ResultsFolder::open(const fs::path& path, const Plan& plan) {
  ResultsFolder folder(path, plan);
  if (auto done = folder.refuse_others(); !done) return done.error();
  if (auto done = make_folder(path); !done) return done.error();
  if (auto done = folder.lock(); !done) return done.error();
  if (auto done = folder.refuse_others(); !done) return done.error();
  if (auto done = folder.load(); !done) return done.error();
  return folder;
}

Result<void> ResultsFolder::refuse_others() const {
  const fs::path journal = folder_ / journal_name;
  if (!present(journal)) {
    for (const char* const name : finished_files)
      if (present(folder_ / name))
        return invalid("{} has a {} but no {} to continue from; choose another --out",
                       folder_.string(), name, journal_name);
    return {};
  }
  const JournalHeader ours = JournalHeader::of(*plan_);
  if (is_torn(journal, encode(ours))) return {};
  const auto its = read_journal_header(journal);
  if (!its) return invalid("{}; choose another --out", its.error().message);
  if (const std::string differs = difference(its.value(), ours); !differs.empty())
    return invalid("{} holds another experiment: {}; choose another --out", folder_.string(),
                   differs);
  if (const std::string beyond = left_out(its.value(), ours); !beyond.empty())
    return invalid("{} has {}, which this leaves out; ask for it as well, or choose another --out",
                   folder_.string(), beyond);
  return {};
}

Result<void> ResultsFolder::lock() {
  const fs::path file = folder_ / ".lock";
  lock_ = UniqueFd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock_) return invalid("{}: {}", file.string(), std::strerror(errno));
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return {};
  if (errno == EWOULDBLOCK)
    return invalid("{} is in use by another phe; wait for it or choose another --out",
                   folder_.string());
  return invalid("{}: cannot be locked: {}", file.string(), std::strerror(errno));
}

Result<void> ResultsFolder::load() {
  const fs::path journal = folder_ / journal_name;
  rewrite_ = true;
  if (!present(journal) || is_torn(journal, encode(JournalHeader::of(*plan_)))) return {};
  auto contents = read_journal(journal);
  if (!contents) return contents.error();
  for (const std::size_t line : contents->damaged_lines)
    warnings_.push_back(
        fmt::format("{}: line {} is damaged; its run is done again", journal.string(), line));
  const JournalHeader ours = JournalHeader::of(*plan_);
  grown_ = !same_lists(contents->header, ours);
  rewrite_ = grown_ || contents->torn || !contents->damaged_lines.empty();
  runs_ = grown_ ? renumbered(contents->runs, contents->header, ours) : std::move(contents->runs);
  return {};
}

std::vector<RunId> ResultsFolder::missing() const {
  std::vector<RunId> ids = plan_->runs();
  std::erase_if(ids, [&](const RunId& id) { return runs_.contains(id); });
  return ids;
}

Result<void> ResultsFolder::prepare() {
  const fs::path file = folder_ / journal_name;
  if (auto kept = keep_inputs(folder_, plan_->files()); !kept) return kept;
  if (grown_)
    if (auto done = remove_files(folder_, finished_files); !done) return done;
  if (rewrite_) {
    std::string text = encode(JournalHeader::of(*plan_));
    for (const auto& [id, run] : runs_) text += encode(run);
    if (auto done = write_file(file, text); !done) return done;
    rewrite_ = false;
  }
  auto journal = JournalWriter::open(file);
  if (!journal) return journal.error();
  journal_ = std::move(journal).value();
  return {};
}

// Only told: where it cannot be written the runs are kept all the same.
void ResultsFolder::tell_session() const {
  double seconds = 0.0;
  for (const auto& [id, run] : runs_) seconds += run.seconds;
  const std::string text = to_text(Session::of_this_process(runs_.size(), seconds));
  if (::ftruncate(lock_.get(), 0) != 0) return;
  [[maybe_unused]] const auto written = ::pwrite(lock_.get(), text.data(), text.size(), 0);
}

Result<void> ResultsFolder::add(const RunResult& run) {
  assert(journal_);
  if (!added_) tell_session();
  if (auto done = journal_->append(encode(run)); !done) return done;
  added_ = true;
  runs_.try_emplace(run.id, run);
  return {};
}

Result<void> ResultsFolder::finish(const Machine& machine) {
  assert(journal_);
  const auto written = [&](const char* name) { return present(folder_ / name); };
  if (!added_ && std::ranges::all_of(finished_files, written)) return {};
  if (auto done = journal_->sync(); !done) return done;
  const auto curves = curves_of(*plan_, runs_);
  if (auto done = write_file(folder_ / "regret.csv", regret_csv(*plan_, curves)); !done)
    return done;
  if (auto done = write_file(folder_ / "runs.csv", runs_csv(*plan_, runs_)); !done) return done;
  return write_file(folder_ / "manifest.json", dumped(manifest(*plan_, curves, machine), 2) + '\n');
}

}  // namespace phe
