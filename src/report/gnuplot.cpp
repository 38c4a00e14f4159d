#include "report/gnuplot.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::report {

namespace {

constexpr const char* size = "900,560";

std::string script(const std::string& name, const std::string& plot) {
  return fmt::format(
      "# Draw again with: gnuplot {0}.gp\n"
      "set encoding utf8\n"
      "set terminal svg size {1} font 'sans,14' enhanced background 'white'\n"
      "set output '{0}.svg'\n"
      "{2}\n"
      "set terminal pngcairo size {1} font 'sans,12' enhanced\n"
      "set output '{0}.png'\n"
      "replot\n",
      name, size, plot);
}

// Runs `gnuplot file` in `folder`; what it prints goes to our standard error.
Result<void> run_gnuplot(const std::filesystem::path& folder, const std::string& file) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  std::string program = "gnuplot";
  std::string argument = file;
  char* const argv[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, "gnuplot", &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT)
    return invalid(
        "gnuplot is not installed (Debian package gnuplot-nox); the script is kept in {}: run "
        "gnuplot there later",
        (folder / file).string());
  if (failure != 0) return invalid("gnuplot: {}", std::strerror(failure));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return invalid("gnuplot could not draw {}", (folder / file).string());
  return {};
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    // Enhanced text takes _ ^ { } @ & ~ as markup; within double quotes the backslash is doubled.
    if (std::strchr("_^{}@&~", c) != nullptr) result += "\\\\";
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

Result<void> draw(const std::filesystem::path& folder, const std::string& name,
                  const std::string& plot) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return invalid("{}: {}", folder.string(), failure.message());
  const std::string file = name + ".gp";
  if (auto written = write_file(folder / file, script(name, plot)); !written) return written;
  return run_gnuplot(folder, file);
}

}  // namespace phe::report
