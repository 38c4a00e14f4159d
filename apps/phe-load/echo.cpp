#include <csignal>
#include <cstdio>

#include "commands.hpp"
#include "serve/http_server.hpp"

namespace phe::serve::load {

Result<void> echo(std::uint16_t port, unsigned threads) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  serve::HttpOptions options;
  options.port = port;
  options.threads = threads;
  auto server =
      serve::HttpServer::start(options, [](serve::Request&& request, serve::Respond respond) {
        respond({.status = 201, .body = std::move(request.body)});
      });
  if (!server) return server.error();
  std::printf("listening on http://127.0.0.1:%u\n", server.value()->port());
  std::fflush(stdout);
  int number = 0;
  sigwait(&signals, &number);
  return {};
}

}  // namespace phe::serve::load
