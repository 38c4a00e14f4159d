#include "output.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "support/error.hpp"

namespace phe::app {

void say(const std::string& text) { std::fputs(text.c_str(), stderr); }

void tell(std::string_view message) {
  say(fmt::format("phe: {}\n", one_line(std::string(message))));
}

int bad_input(std::string_view message) {
  tell(message);
  return exit_bad_input;
}

int failed(std::string_view message) {
  tell(message);
  return exit_failed;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string shell_word(const std::string& text) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c > 127 || std::strchr("_./-+:=,@%", c) != nullptr;
  };
  if (!text.empty() && std::ranges::all_of(text, plain)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + '\'';
}

int flushed(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  return failed(fmt::format("standard output: {}", std::strerror(errno)));
}

}  // namespace phe::app
