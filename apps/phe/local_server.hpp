// LocalServer: HTTP for the one who sits at this machine. It listens on the loopback address alone,
// answers GET, one request per connection, and only those that name this machine as their host: a
// page from elsewhere cannot look in through a name of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "phe/result.hpp"
#include "support/unique_fd.hpp"

namespace phe::app {

struct LocalAnswer {
  int status = 200;
  std::string_view content_type = "application/json";
  std::string body = {};
};

// Not thread-safe.
class LocalServer {
 public:
  using Handler = std::function<LocalAnswer(std::string_view target)>;

  // On port 0 the system chooses one.
  static Result<LocalServer> listen(std::uint16_t port, std::string_view headers);
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  // Answers until `stop` says so, which is asked every quarter of a second.
  void serve(const Handler& handler, const std::function<bool()>& stop);

  // The answer to the head of a request, as bytes; for serve, and for tests.
  [[nodiscard]] std::string answer(std::string_view head, const Handler& handler) const;

 private:
  LocalServer(UniqueFd socket, std::uint16_t port, std::string_view headers)
      : socket_(std::move(socket)), port_(port), headers_(headers) {}

  UniqueFd socket_;
  std::uint16_t port_;
  std::string headers_;  // of every answer
};

}  // namespace phe::app
