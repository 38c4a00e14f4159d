#include <cstdio>
#include <filesystem>
#include <limits>

#include "commands.hpp"
#include "serve/log_lines.hpp"
#include "serve/sqlite_store.hpp"

namespace phe::serve::app {

namespace {

int failed(const Error& error, int code) {
  std::fprintf(stderr, "phe-serve: %s\n", error.message.c_str());
  return code;
}

Result<std::int64_t> time_or(const std::string& text, std::int64_t otherwise) {
  return text.empty() ? Result<std::int64_t>(otherwise) : parse_time(text);
}

}  // namespace

int export_command(const Settings& settings) {
  const auto from = time_or(settings["from"], 0);
  if (!from) return failed(from.error(), 2);
  const auto to = time_or(settings["to"], std::numeric_limits<std::int64_t>::max());
  if (!to) return failed(to.error(), 2);
  const auto file = std::filesystem::path(settings["data"]) / (settings["application"] + ".db");
  auto reader = open_sqlite_reader(file);
  if (!reader) return failed(reader.error(), 1);
  bool written = true;
  const auto done =
      write_log_lines(*reader.value(), from.value(), to.value(), {}, [&](std::string_view line) {
        written = std::fwrite(line.data(), 1, line.size(), stdout) == line.size();
        return written;
      });
  if (!done) return failed(done.error(), 1);
  if (!written || std::fflush(stdout) != 0) return failed(Error{"standard output failed"}, 1);
  return 0;
}

}  // namespace phe::serve::app
