// phe-serve: the server and its few commands. Exit codes: 0 done, 1 failed, 2 bad input.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <unistd.h>

#include "commands.hpp"
#include "manual.hpp"
#include "phe/version.hpp"

namespace {

int complain(const std::string& message, int code) {
  std::fprintf(stderr, "phe-serve: %s\n", message.c_str());
  return code;
}

int run(int argc, char** argv) try {
  using namespace phe::serve::app;
  const auto settings = read_settings(argc, argv);
  if (!settings) return complain(settings.error().message, 2);
  if (settings->help) return std::fputs(help_text().c_str(), stdout) < 0;
  if (settings->version)
    return std::printf("phe-serve %s\n", std::string(phe::version).c_str()) < 0;
  const std::string command = settings->words.empty() ? "" : settings->words[0];
  if (command.empty()) return serve(settings.value());
  if (command == "key") return key_command(settings.value());
  if (command == "export") return export_command(settings.value());
  if (command == "backup") return backup_command(settings.value());
  if (command == "restore") return restore_command(settings.value());
  if (command == "check") return check_command(settings.value());
  if (command == "generate" && settings->words.size() == 2 && settings->words[1] == "man")
    return std::fputs(man_page().c_str(), stdout) < 0;
  if (command == "generate" && settings->words.size() == 2 && settings->words[1] == "bash")
    return std::fputs(bash_completion().c_str(), stdout) < 0;
  return complain("there is no command '" + command + "'; phe-serve --help lists all", 2);
} catch (const std::exception& error) {
  return complain(error.what(), 1);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv); }
