#include "report/gnuplot.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/error.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

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

// Everything that comes out of the pipe, until its other end is closed.
std::string drained(int pipe) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return text;
  }
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : one_line(std::string(text))) {
    // What enhanced text takes as markup. (A NUL ends the list and is in no line.)
    if (std::strchr("_^{}@&~\\", c) != nullptr) result += '\\';
    if (c == '\'') result += c;
    result += c;
  }
  return result + '\'';
}

Result<void> run_gnuplot(const std::filesystem::path& folder, std::vector<std::string> arguments) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return invalid("gnuplot: {}", std::strerror(errno));
  const UniqueFd out(ends[0]);
  UniqueFd in(ends[1]);
  arguments.insert(arguments.begin(), "gnuplot");
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_adddup2(&actions, in.get(), stream);
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, "gnuplot", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT) return invalid("gnuplot is not installed (Debian package gnuplot-nox)");
  if (failure != 0) return invalid("gnuplot: {}", std::strerror(failure));
  in = UniqueFd();
  const std::string said = drained(out.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return invalid("gnuplot failed: {}", said.empty() ? "no message" : trim(said));
  return {};
}

Result<void> draw(const std::filesystem::path& folder, const std::string& name,
                  const std::string& plot) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return invalid("{}: {}", folder.string(), failure.message());
  const std::string file = name + ".gp";
  if (auto written = write_file(folder / file, script(name, plot)); !written) return written;
  if (auto drawn = run_gnuplot(folder, {file}); !drawn)
    return invalid("{}; the script is kept in {}: run gnuplot there later", drawn.error().message,
                   (folder / file).string());
  return {};
}

}  // namespace phe::report
