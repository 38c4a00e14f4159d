// A small HTTP/1.1 client for many connections in one thread: requests are bytes made ahead, and of
// an answer it reads the status and the body's length.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"
#include "support/unique_fd.hpp"

namespace phe::serve::load {

struct Server {
  std::string host = "127.0.0.1";  // an address, not a name
  std::uint16_t port = 8080;
  std::string key;

  // Of http://ADDRESS:PORT. Only the machine itself: what loads a server is no toy.
  static Result<Server> parse(std::string_view url, std::string_view key);
  // The bytes of a request.
  [[nodiscard]] std::string request(std::string_view method, std::string_view path,
                                    std::string_view body) const;
};

struct Answer {
  int status = 0;
  std::string_view body;
  std::int64_t nanoseconds = 0;  // since the request was due
};

std::int64_t nanoseconds_now() noexcept;

class Client {
 public:
  static Result<Client> connect(const Server& server, std::size_t connections);

  // What to send next on connection c: true, and the bytes and when they were due (0: now); or
  // false with `due` the time to ask again (0: when an answer has come).
  using Next = std::function<bool(std::size_t c, std::string& bytes, std::int64_t& due)>;
  using Done = std::function<void(std::size_t c, const Answer& answer)>;
  // Until `next` has nothing to send, at no time, and everything was answered.
  Result<void> run(const Next& next, const Done& done);
  // One request, one answer, on the first connection.
  Result<std::pair<int, std::string>> call(const std::string& request);

 private:
  struct Connection {
    UniqueFd socket;
    std::string out, in;
    std::size_t sent = 0;
    std::int64_t due = 0;
    bool busy = false;
  };

  Client() = default;
  Result<void> write(std::size_t c);
  Result<bool> read(std::size_t c, const Done& done);

  UniqueFd poll_;
  std::vector<Connection> connections_;
};

}  // namespace phe::serve::load
