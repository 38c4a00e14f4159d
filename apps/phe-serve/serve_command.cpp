#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "commands.hpp"
#include "phe/version.hpp"

namespace phe::serve::app {

namespace {

void start_logging(const std::string& level) {
  auto logger = spdlog::stderr_logger_mt("phe-serve");
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

// Blocks the signals in all threads; one thread waits for them, so nothing is done in a handler.
sigset_t hold_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file too large is an error of its write
  return signals;
}

std::filesystem::file_time_type time_of(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::last_write_time(file, ignored);
}

// Certificates and keys that change are taken over while the server runs.
class Upkeep {
 public:
  Upkeep(Service& service, HttpServer& server, std::filesystem::path certificate)
      : service_(service), server_(server), certificate_(std::move(certificate)) {
    certificate_time_ = time_of(certificate_);
  }

  void check(bool asked) {
    if (const auto done = service_.refresh(); !done)
      spdlog::error("keys: {}", done.error().message);
    if (certificate_.empty()) return;
    const auto now = time_of(certificate_);
    if (!asked && now == certificate_time_) return;
    certificate_time_ = now;
    if (const auto done = server_.reload_certificate(); !done)
      spdlog::error("the old certificate stays: {}", done.error().message);
    else
      spdlog::info("certificate read again");
  }

 private:
  Service& service_;
  HttpServer& server_;
  std::filesystem::path certificate_;
  std::filesystem::file_time_type certificate_time_;
};

int failed(const Error& error, int code) {
  std::fprintf(stderr, "phe-serve: %s\n", error.message.c_str());
  return code;
}

void greet(const Settings& settings, const Service& service, const HttpServer& server,
           const HttpOptions& http) {
  std::printf("phe-serve %s\n", std::string(version).c_str());
  std::printf("data %s%s\n", settings["data"].c_str(), service.is_new() ? " (new)" : "");
  if (service.fresh_key()) std::printf("key %s (shown once)\n", service.fresh_key()->c_str());
  const bool ipv6 = http.address.find(':') != std::string::npos;
  std::printf("listening on %s://%s%s%s:%u\n", http.certificate.empty() ? "http" : "https",
              ipv6 ? "[" : "", http.address.c_str(), ipv6 ? "]" : "", server.port());
  std::fflush(stdout);
}

}  // namespace

int serve(const Settings& settings) {
  const sigset_t signals = hold_signals();
  start_logging(settings["log-level"]);
  const auto http = http_options(settings);
  if (!http) return failed(http.error(), 2);
  const auto options = service_options(settings);
  if (!options) return failed(options.error(), 2);
  auto service = Service::open(settings["data"], options.value());
  if (!service) return failed(service.error(), 1);
  auto server = HttpServer::start(http.value(), [&](Request&& request, Respond respond) {
    service.value()->handle(std::move(request), std::move(respond));
  });
  if (!server) return failed(server.error(), 1);
  greet(settings, *service.value(), *server.value(), http.value());

  Upkeep upkeep(*service.value(), *server.value(), http->certificate);
  const timespec pause{1, 0};
  for (;;) {
    const int number = sigtimedwait(&signals, nullptr, &pause);
    if (number == SIGTERM || number == SIGINT) break;
    upkeep.check(number == SIGHUP);
  }
  spdlog::info("stopping: no new connections, {} open", server.value()->connections());
  // A second signal ends at once.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  server.value()->drain(10 * second);
  server.value()->stop();
  service.value().reset();
  spdlog::info("stopped");
  return 0;
}

}  // namespace phe::serve::app
