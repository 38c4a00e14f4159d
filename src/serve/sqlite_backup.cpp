#include "serve/sqlite_backup.hpp"

#include <memory>
#include <vector>

#include <fcntl.h>
#include <sqlite3.h>

#include "serve/sqlite.hpp"
#include "support/error.hpp"
#include "support/unique_fd.hpp"

namespace phe::serve {

namespace fs = std::filesystem;

namespace {

struct Close {
  void operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }
};
using Handle = std::unique_ptr<sqlite3, Close>;

Result<Handle> open(const fs::path& file, int flags) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &raw, flags, nullptr);
  Handle handle(raw);
  if (code != SQLITE_OK) return invalid("{}: {}", file.string(), sqlite3_errstr(code));
  sqlite3_busy_timeout(raw, 10'000);
  return handle;
}

void sync_folder(const fs::path& folder) {
  const UniqueFd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) ::fsync(opened.get());
}

}  // namespace

Result<void> copy_database(const fs::path& from, const fs::path& to) {
  const auto source = open(from, SQLITE_OPEN_READONLY);
  if (!source) return source.error();
  const auto copy = open(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!copy) return copy.error();
  sqlite3_backup* backup = sqlite3_backup_init(copy->get(), "main", source->get(), "main");
  if (backup == nullptr) return invalid("{}: {}", to.string(), sqlite3_errmsg(copy->get()));
  // In one step: one reading transaction, which in WAL mode keeps nobody from writing.
  int code = SQLITE_BUSY;
  for (int i = 0; i < 100 && (code == SQLITE_BUSY || code == SQLITE_LOCKED); ++i) {
    if (i > 0) sqlite3_sleep(100);
    code = sqlite3_backup_step(backup, -1);
  }
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) return invalid("{}: {}", from.string(), sqlite3_errstr(code));
  return {};
}

Result<int> copy_data_folder(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  if (!fs::exists(from / "service.db", failed))
    return invalid("{} is no data folder: it has no service.db", from.string());
  if (fs::exists(to, failed)) return invalid("{} is there already", to.string());
  fs::path partial = to;
  partial += ".partial";
  fs::remove_all(partial, failed);
  if (!fs::create_directories(partial, failed))
    return invalid("{}: {}", partial.string(), failed.message());
  fs::permissions(partial, fs::perms::owner_all, failed);
  int count = 0;
  for (const auto& entry : fs::directory_iterator(from, failed)) {
    if (entry.path().extension() != ".db") continue;
    if (auto done = copy_database(entry.path(), partial / entry.path().filename()); !done)
      return done.error();
    ++count;
  }
  sync_folder(partial);
  fs::rename(partial, to, failed);
  if (failed) return invalid("{}: {}", to.string(), failed.message());
  sync_folder(to.has_parent_path() ? to.parent_path() : fs::path("."));
  return count;
}

Result<void> check_database(const fs::path& file) {
  auto database = Database::open(file, Database::Access::read);
  if (!database) return database.error();
  auto check = database->prepare("PRAGMA quick_check(1)");
  if (!check) return check.error();
  const auto row = check->step();
  if (!row) return row.error();
  if (check->text(0) == "ok") return {};
  return invalid("{}: {}", file.string(), check->text(0));
}

}  // namespace phe::serve
