#include "client.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::serve::load {

std::int64_t nanoseconds_now() noexcept {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

Result<Server> Server::parse(std::string_view url, std::string_view key) {
  constexpr std::string_view scheme = "http://";
  Server server;
  server.key = key;
  if (!url.starts_with(scheme)) return invalid("url must be http://ADDRESS:PORT, got '{}'", url);
  url.remove_prefix(scheme.size());
  if (url.ends_with('/')) url.remove_suffix(1);
  const auto colon = url.rfind(':');
  const auto port = parse_number<std::uint16_t>(url.substr(std::min(colon, url.size() - 1) + 1));
  if (colon == url.npos || !port) return invalid("url must have a port, got '{}'", url);
  server.host = url.substr(0, colon);
  server.port = *port;
  if (!server.host.starts_with("127."))
    return invalid("phe-load loads servers of this machine alone: 127.0.0.1, got '{}'",
                   server.host);
  return server;
}

std::string Server::request(std::string_view method, std::string_view path,
                            std::string_view body) const {
  return fmt::format(
      "{} /personalizer/v1.0{} HTTP/1.1\r\nHost: {}:{}\r\nContent-Type: application/json\r\n"
      "Ocp-Apim-Subscription-Key: {}\r\nContent-Length: {}\r\n\r\n{}",
      method, path, host, port, key, body.size(), body);
}

Result<Client> Client::connect(const Server& server, std::size_t connections) {
  Client client;
  client.poll_ = UniqueFd(::epoll_create1(EPOLL_CLOEXEC));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server.port);
  if (::inet_pton(AF_INET, server.host.c_str(), &address.sin_addr) != 1)
    return invalid("'{}' is not an address", server.host);
  client.connections_.resize(connections);
  for (std::size_t c = 0; c < connections; ++c) {
    UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      return invalid("{}:{}: {}", server.host, server.port, std::strerror(errno));
    const int yes = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = c;
    ::epoll_ctl(client.poll_.get(), EPOLL_CTL_ADD, socket.get(), &event);
    client.connections_[c].socket = std::move(socket);
  }
  return client;
}

// Requests are small: what the socket does not take at once, it takes when it has room.
Result<void> Client::write(std::size_t c) {
  Connection& connection = connections_[c];
  while (connection.sent < connection.out.size()) {
    const auto count = ::send(connection.socket.get(), connection.out.data() + connection.sent,
                              connection.out.size() - connection.sent, MSG_NOSIGNAL);
    if (count <= 0) return invalid("the server closed a connection: {}", std::strerror(errno));
    connection.sent += static_cast<std::size_t>(count);
  }
  return {};
}

// True when an answer is complete.
Result<bool> Client::read(std::size_t c, const Done& done) {
  Connection& connection = connections_[c];
  char bytes[65536];
  const auto count = ::recv(connection.socket.get(), bytes, sizeof bytes, 0);
  if (count <= 0) return invalid("the server closed a connection: {}", std::strerror(errno));
  connection.in.append(bytes, static_cast<std::size_t>(count));
  const std::string_view in = connection.in;
  const auto end = in.find("\r\n\r\n");
  if (end == in.npos || in.size() < 12) return false;
  std::size_t length = 0;
  constexpr std::string_view name = "Content-Length: ";
  if (const auto at = in.substr(0, end).find(name); at != in.npos)
    length = std::strtoull(in.data() + at + name.size(), nullptr, 10);
  if (in.size() < end + 4 + length) return false;
  connection.busy = false;
  done(c,
       {std::atoi(in.data() + 9), in.substr(end + 4, length), nanoseconds_now() - connection.due});
  connection.in.clear();
  return true;
}

Result<void> Client::run(const Next& next, const Done& done) {
  std::size_t busy = 0;
  std::int64_t wake = 0;
  std::vector<epoll_event> events(connections_.size());
  for (;;) {
    wake = 0;
    for (std::size_t c = 0; c < connections_.size(); ++c) {
      Connection& connection = connections_[c];
      if (connection.busy) continue;
      connection.due = 0;
      if (!next(c, connection.out, connection.due)) {
        if (connection.due != 0) wake = wake == 0 ? connection.due : std::min(wake, connection.due);
        continue;
      }
      if (connection.due == 0) connection.due = nanoseconds_now();
      connection.busy = true;
      connection.sent = 0;
      ++busy;
      if (auto written = write(c); !written) return written;
    }
    if (busy == 0 && wake == 0) return {};
    timespec limit{10, 0};
    if (wake != 0) {
      const std::int64_t rest = std::max<std::int64_t>(0, wake - nanoseconds_now());
      limit = {rest / 1'000'000'000, rest % 1'000'000'000};
    }
    const int count = ::epoll_pwait2(poll_.get(), events.data(), static_cast<int>(events.size()),
                                     &limit, nullptr);
    if (count < 0 && errno != EINTR) return invalid("epoll: {}", std::strerror(errno));
    if (count == 0 && wake == 0) return invalid("no answer for 10 seconds");
    for (int i = 0; i < count; ++i) {
      auto complete = read(events[static_cast<std::size_t>(i)].data.u64, done);
      if (!complete) return complete.error();
      busy -= complete.value();
    }
  }
}

Result<std::pair<int, std::string>> Client::call(const std::string& request) {
  bool sent = false;
  std::pair<int, std::string> result;
  auto done = run(
      [&](std::size_t c, std::string& bytes, std::int64_t&) {
        if (c != 0 || sent) return false;
        bytes = request;
        return sent = true;
      },
      [&](std::size_t, const Answer& answer) {
        result = {answer.status, std::string(answer.body)};
      });
  if (!done) return done.error();
  return result;
}

}  // namespace phe::serve::load
