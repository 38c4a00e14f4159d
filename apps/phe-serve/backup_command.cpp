#include <cstdio>

#include "commands.hpp"
#include "serve/sqlite_backup.hpp"

namespace phe::serve::app {

namespace {

int copy(const Settings& settings, const char* command, bool restores) {
  if (settings.words.size() != 2) {
    std::fprintf(stderr,
                 "phe-serve: %s needs a folder, as in phe-serve %s copies/monday --data %s\n",
                 command, command, settings["data"].c_str());
    return 2;
  }
  const std::string& other = settings.words[1];
  const std::string& data = settings["data"];
  const auto count = restores ? copy_data_folder(other, data) : copy_data_folder(data, other);
  if (!count) {
    std::fprintf(stderr, "phe-serve: %s\n", count.error().message.c_str());
    return 1;
  }
  std::printf("%s: %d databases\n", restores ? data.c_str() : other.c_str(), count.value());
  return 0;
}

}  // namespace

int backup_command(const Settings& settings) { return copy(settings, "backup", false); }
int restore_command(const Settings& settings) { return copy(settings, "restore", true); }

}  // namespace phe::serve::app
