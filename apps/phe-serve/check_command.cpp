// phe-serve check: what would keep a server from working, or will soon. Changes nothing.
#include <cstdio>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <unistd.h>

#include "commands.hpp"
#include "serve/clock.hpp"
#include "serve/keys.hpp"
#include "serve/sqlite_backup.hpp"
#include "serve/sqlite_store.hpp"
#include "support/memory.hpp"
#include "support/unique_fd.hpp"

namespace phe::serve::app {

namespace {

namespace fs = std::filesystem;

constexpr double little_room = 1 << 30;     // bytes
constexpr double no_room = 64 * (1 << 20);  // bytes
constexpr std::int64_t soon = 14 * day;     // for certificates

class Report {
 public:
  void good(const std::string& text) { std::printf("ok    %s\n", text.c_str()); }
  void warn(const std::string& text) { std::printf("warn  %s\n", text.c_str()); }
  void fail(const std::string& text) {
    std::printf("FAIL  %s\n", text.c_str());
    failed_ = true;
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  bool failed_ = false;
};

void check_settings(const Settings& settings, Report& report) {
  const auto http = http_options(settings);
  const auto service = service_options(settings);
  if (!http) return report.fail("settings: " + http.error().message);
  if (!service) return report.fail("settings: " + service.error().message);
  report.good(fmt::format("settings: {} threads, policy {}, dimension {}", http->threads,
                          service->application.policy, service->application.dimension));
  if (http->certificate.empty()) return;
  const auto end = certificate_end(http.value());
  if (!end) return report.fail(end.error().message);
  const std::int64_t left = end.value() - Clock::wall();
  const std::string text = fmt::format("certificate: valid until {}", time_text(end.value()));
  left <= 0 ? report.fail(text) : left < soon ? report.warn(text) : report.good(text);
}

void check_disk(const fs::path& data, Report& report) {
  struct statvfs disk {};
  if (::statvfs(data.c_str(), &disk) != 0 || ::access(data.c_str(), W_OK) != 0)
    return report.fail(fmt::format("disk: {} cannot be written", data.string()));
  const double room = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
  const std::string text = fmt::format("disk: {} free below {}", bytes_text(room), data.string());
  room < no_room ? report.fail(text) : room < little_room ? report.warn(text) : report.good(text);
}

void check_clock(Report& report) {
  timex state{};
  const std::string now = time_text(Clock::wall());
  if (::adjtimex(&state) == TIME_ERROR)
    return report.warn(fmt::format("clock: {}, which nothing keeps right (no time service)", now));
  report.good(fmt::format("clock: {}, kept right by a time service", now));
}

void check_log(const fs::path& file, Report& report) {
  if (auto done = check_database(file); !done) return report.fail("log: " + done.error().message);
  auto reader = open_sqlite_reader(file);
  const auto counts = reader ? reader.value()->counts() : Result<StoreCounts>(reader.error());
  if (!counts) return report.fail("log: " + counts.error().message);
  report.good(fmt::format("log: {}, {} events, {} waiting", file.filename().string(),
                          counts->events, counts->waiting));
  const std::int64_t ahead = counts->last_time - Clock::wall();
  if (ahead > second)
    report.warn(fmt::format("clock: the last event of {} is {} seconds in the future",
                            file.filename().string(), ahead / second));
}

void check_applications(const fs::path& data, Report& report) {
  auto keys = Keys::open(data / "service.db");
  if (!keys) return report.fail("keys: " + keys.error().message);
  const auto names = keys.value()->applications();
  if (!names) return report.fail("keys: " + names.error().message);
  if (names->empty()) report.warn("keys: there is no application yet");
  for (const std::string& name : names.value()) {
    const auto made = keys.value()->made(name);
    if (!made || made->empty())
      report.warn(fmt::format("keys: application {} has none, so nobody can call it", name));
    else
      report.good(fmt::format("keys: application {} has {}", name, made->size()));
    const fs::path file = data / (name + ".db");
    if (fs::exists(file)) check_log(file, report);
  }
}

void check_server(const fs::path& data, Report& report) {
  const UniqueFd lock(::open((data / "lock").c_str(), O_RDWR | O_CLOEXEC));
  const bool taken = lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0;
  report.good(taken ? "server: one works in this folder" : "server: none works in this folder");
}

}  // namespace

int check_command(const Settings& settings) {
  const fs::path data = settings["data"];
  Report report;
  check_settings(settings, report);
  check_clock(report);
  std::error_code failed;
  if (!fs::exists(data / "service.db", failed)) {
    report.warn(
        fmt::format("data: {} is no data folder yet; the first start makes it", data.string()));
    return report.failed() ? 1 : 0;
  }
  check_disk(data, report);
  check_server(data, report);
  check_applications(data, report);
  return report.failed() ? 1 : 0;
}

}  // namespace phe::serve::app
