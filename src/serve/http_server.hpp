// HttpServer: HTTP/1.1 over TCP or TLS in front of a handler. Boost.Beast is in its .cpp and
// nowhere else.
//
// One io_context and one thread per core, each with a listening socket of its own (SO_REUSEPORT). A
// client that is slow, idle for long, or sends too much is cut off; one connection too many is
// answered with 429.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "phe/result.hpp"
#include "serve/http_types.hpp"

namespace phe::serve {

struct HttpOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: the system chooses
  unsigned threads = 2;
  std::size_t most_connections = 10'000;
  std::size_t most_header = 16 * 1024;
  std::size_t most_body = 1024 * 1024;
  std::int64_t read_timeout = 20'000;   // for a whole request, once it has begun; milliseconds
  std::int64_t idle_timeout = 120'000;  // between requests; longer than clients keep connections
  std::int64_t write_timeout = 20'000;  // for a whole answer
  std::filesystem::path certificate;    // PEM, with its chain; empty: no TLS
  std::filesystem::path private_key;
  std::string allow_origin = "*";  // for browsers; empty: none
  int socket = -1;  // one that listens already, instead of address and port; it stays the caller's
};

// When the certificate of the options is no longer valid, in milliseconds since 1970; or why it
// cannot be used.
Result<std::int64_t> certificate_end(const HttpOptions& options);

class HttpServer {
 public:
  // Listens when it returns: from then on connections are accepted.
  static Result<std::unique_ptr<HttpServer>> start(const HttpOptions& options, Handler handler);
  ~HttpServer();

  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] std::size_t connections() const noexcept;

  // Reads the certificate again; connections that are open keep the old one.
  Result<void> reload_certificate();

  // Accepts no more, answers what was asked, then closes; at most so long (milliseconds). A
  // connection in use is closed by its next answer, which says so, and one without a request for a
  // second is closed: nobody's request is cut off on its way.
  void drain(std::int64_t most);
  // From now on the handler is not called. What is answered later goes nowhere.
  void stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace phe::serve
