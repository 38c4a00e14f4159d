// An HTTP request: any bytes to the whole service, through a socket of the loopback. Every answer
// is HTTP, never a 5xx but for what is not built, and the service goes on.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <arpa/inet.h>
#include <sys/socket.h>

#include "serve/http_server.hpp"
#include "serve/service.hpp"
#include "support/unique_fd.hpp"
#include "target.hpp"

namespace phe::fuzz {

namespace {

// Started once, for all inputs; its folder goes with the program.
class Running {
 public:
  Running() {
    std::string name = (std::filesystem::temp_directory_path() / "phe-fuzz-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    serve::ServiceOptions options;
    options.application.durability = serve::Durability::async;
    options.application.dimension = 16;
    options.key = "key-key-key";
    service_ = std::move(serve::Service::open(folder_ / "data", options)).value();
    serve::HttpOptions http;
    http.port = 0;
    http.threads = 1;
    http.most_body = 64 * 1024;
    server_ = std::move(serve::HttpServer::start(http, [this](serve::Request&& request,
                                                              serve::Respond respond) {
                service_->handle(std::move(request), std::move(respond));
              })).value();
  }
  ~Running() {
    server_->stop();
    service_.reset();
    server_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::uint16_t port() const noexcept { return server_->port(); }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<serve::Service> service_;
  std::unique_ptr<serve::HttpServer> server_;
};

std::string exchange(std::uint16_t port, std::string_view bytes) {
  const UniqueFd socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  demand(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
         "the service listens");
  static_cast<void>(::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
  ::shutdown(socket.get(), SHUT_WR);
  std::string answer;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::recv(socket.get(), buffer, sizeof buffer, 0)) > 0;)
    answer.append(buffer, static_cast<std::size_t>(n));
  return answer;
}

}  // namespace

void check(std::string_view input) {
  static Running running;
  const std::string answer = exchange(running.port(), input);
  demand(answer.empty() || answer.starts_with("HTTP/1.1 "), "an answer is HTTP");
  demand(answer.size() < 10 || answer[9] != '5' || answer.starts_with("HTTP/1.1 501"),
         "no request is an internal error");
}

}  // namespace phe::fuzz
