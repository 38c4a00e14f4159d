#include "local_server.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/error.hpp"

namespace phe::app {

namespace {

constexpr std::size_t longest_head = 16 * 1024;
constexpr std::size_t most_clients = 64;
constexpr auto patience = std::chrono::seconds(10);

struct Client {
  UniqueFd socket;
  std::string head;
  std::chrono::steady_clock::time_point since;
};

void send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the client has gone, or is too slow
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// The value of a header, or nothing.
std::string_view header_of(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != head.npos; at = head.find("\r\n", at + 2)) {
    const std::string_view line = head.substr(at + 2, head.find("\r\n", at + 2) - at - 2);
    const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
    if (line.size() > name.size() && line[name.size()] == ':' &&
        std::ranges::equal(line.substr(0, name.size()), name, same)) {
      const auto value = line.substr(name.size() + 1);
      return value.substr(std::min(value.find_first_not_of(' '), value.size()));
    }
  }
  return {};
}

// Whether the head is whole, or never will be.
bool read_some(Client& client) {
  char bytes[4096];
  const auto got = ::recv(client.socket.get(), bytes, sizeof bytes, 0);
  if (got <= 0) return client.head.clear(), true;
  client.head.append(bytes, static_cast<std::size_t>(got));
  return client.head.find("\r\n\r\n") != std::string::npos || client.head.size() > longest_head;
}

}  // namespace

Result<LocalServer> LocalServer::listen(std::uint16_t port, std::string_view headers) {
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const where = reinterpret_cast<sockaddr*>(&address);
  if (!socket || ::bind(socket.get(), where, size) != 0 || ::listen(socket.get(), 64) != 0 ||
      ::getsockname(socket.get(), where, &size) != 0)
    return invalid("cannot listen on port {} (0 takes any that is free)", port);
  return LocalServer(std::move(socket), ntohs(address.sin_port), headers);
}

std::string LocalServer::answer(std::string_view head, const Handler& handler) const {
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const std::string_view host = header_of(head, "host");
  const auto space = line.rfind(" HTTP/1.");
  LocalAnswer told{.status = 400, .body = R"({"error":"this is no request for this server"})"};
  if (host != fmt::format("127.0.0.1:{}", port_) && host != fmt::format("localhost:{}", port_))
    told = {.status = 403, .body = R"({"error":"this server is for this machine alone"})"};
  else if (line.starts_with("GET /") && space != line.npos && space > 4)
    told = handler(line.substr(4, space - 4));
  const std::string_view reason = told.status == 200 ? "OK" : "Refused";
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
      "X-Content-Type-Options: nosniff\r\n{}\r\n{}",
      told.status, reason, told.content_type, told.body.size(), headers_, told.body);
}

void LocalServer::serve(const Handler& handler, const std::function<bool()>& stop) {
  using Steady = std::chrono::steady_clock;
  std::vector<Client> clients;
  while (!stop()) {
    std::vector<pollfd> waiting{{socket_.get(), POLLIN, 0}};
    for (const Client& client : clients) waiting.push_back({client.socket.get(), POLLIN, 0});
    ::poll(waiting.data(), waiting.size(), 250);
    for (std::size_t i = clients.size(); i-- > 0;) {
      Client& client = clients[i];
      bool over = Steady::now() - client.since > patience;
      if ((waiting[i + 1].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && read_some(client)) {
        if (!client.head.empty()) send_all(client.socket.get(), answer(client.head, handler));
        over = true;
      }
      if (over) clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if ((waiting[0].revents & POLLIN) == 0) continue;
    UniqueFd socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket || clients.size() >= most_clients) continue;
    const timeval slowest{5, 0};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &slowest, sizeof slowest);
    clients.push_back({std::move(socket), {}, Steady::now()});
  }
}

}  // namespace phe::app
