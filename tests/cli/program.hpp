// Running the real program, and what came of it.
#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

namespace phe::test {

struct Outcome {
  int exit_code = -1;  // 128 + signal when killed
  std::string out;
  std::string err;
};

// A started program, its outputs in files of `folder`. `prepare` is called in the new process,
// before the program replaces it.
class Program {
 public:
  Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
          const std::function<void()>& prepare = {})
      : out_(folder / "stdout"), err_(folder / "stderr") {
    std::vector<char*> argv = {const_cast<char*>(program())};
    for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::dup2(::open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
    ::dup2(::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDERR_FILENO);
    if (prepare) prepare();
    ::execv(program(), argv.data());
    ::_exit(127);
  }

  void signal(int number) const { ::kill(pid_, number); }

  // Waits until `condition` holds, or the program has ended.
  void wait_until(const std::function<bool()>& condition) const {
    siginfo_t ended{};
    while (!condition()) {
      ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid == pid_) return;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  Outcome wait() const {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), bytes_of(out_),
            bytes_of(err_)};
  }

 private:
  std::filesystem::path out_;
  std::filesystem::path err_;
  pid_t pid_ = -1;
};

class ProgramTest : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& arguments,
              const std::function<void()>& prepare = {}) const {
    return Program(temporary_.path(), arguments, prepare).wait();
  }
  [[nodiscard]] std::string path(std::string_view name) const {
    return (temporary_ / name).string();
  }
  // Waits until `file` holds at least `bytes`.
  static bool grows_to(const std::filesystem::path& file, std::uintmax_t bytes) {
    for (int i = 0; i < 2000; ++i) {
      std::error_code missing;
      const auto size = std::filesystem::file_size(file, missing);
      if (!missing && size >= bytes) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  TemporaryFolder temporary_;
};

}  // namespace phe::test
