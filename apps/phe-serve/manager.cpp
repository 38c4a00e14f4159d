#include "manager.hpp"

#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace phe::serve::app {

namespace {

constexpr int first_socket = 3;

long long variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : parse_number<long long>(text).value_or(0);
}

}  // namespace

int handed_socket() {
  const bool handed = variable("LISTEN_PID") == ::getpid() && variable("LISTEN_FDS") >= 1;
  for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(name);
  if (!handed) return -1;
  ::fcntl(first_socket, F_SETFD, FD_CLOEXEC);
  return first_socket;
}

void notify_manager(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (path == nullptr || (path[0] != '/' && path[0] != '@')) return;
  const std::size_t length = std::strlen(path);
  if (length >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = '\0';  // a name that is no file
  const UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  ::sendto(socket.get(), state.data(), state.size(), MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&address), size);
}

}  // namespace phe::serve::app
