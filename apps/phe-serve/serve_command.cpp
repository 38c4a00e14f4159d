#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>

#include "commands.hpp"
#include "log.hpp"
#include "manager.hpp"
#include "phe/version.hpp"
#include "support/error.hpp"

namespace phe::serve::app {

namespace {

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
    service_.tell_connections(server_.connections());
    tell_failing();
    if (const auto done = service_.refresh(); !done)
      log(Level::error, "keys not read", {{"reason", done.error().message}});
    if (certificate_.empty()) return;
    const auto now = time_of(certificate_);
    if (!asked && now == certificate_time_) return;
    certificate_time_ = now;
    if (const auto done = server_.reload_certificate(); !done)
      log(Level::error, "the old certificate stays", {{"reason", done.error().message}});
    else
      log(Level::info, "certificate read again");
  }

 private:
  // Once when it begins, once when it is over.
  void tell_failing() {
    const bool failing = service_.failing();
    if (failing == failing_) return;
    failing_ = failing;
    if (failing)
      log(Level::error, "a log cannot be written");
    else
      log(Level::info, "all logs can be written again");
  }

  Service& service_;
  HttpServer& server_;
  bool failing_ = false;
  std::filesystem::path certificate_;
  std::filesystem::file_time_type certificate_time_;
};

Result<void> begin_logging(const Settings& settings) {
  const std::string& form = settings["log-format"];
  if (form != "text" && form != "json")
    return invalid("log-format must be text or json, got '{}'", form);
  if (!start_logging(settings["log-level"], form == "json" ? LogForm::json : LogForm::text))
    return invalid("log-level must be debug, info, warn or error, got '{}'", settings["log-level"]);
  return {};
}

// Every request, where somebody asked for it.
Handler logged(Handler handler) {
  if (!logs(Level::debug)) return handler;
  return [handler = std::move(handler)](Request&& request, Respond respond) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    // The last part alone: others may be ids.
    const std::string part = path.substr(std::min(path.rfind('/'), path.size()));
    const std::int64_t began = Clock::wall();
    handler(std::move(request), [=, respond = std::move(respond)](Response&& response) {
      log(Level::debug, "request",
          {{"path", part},
           {"status", std::int64_t{response.status}},
           {"milliseconds", Clock::wall() - began}});
      respond(std::move(response));
    });
  };
}

// Says when the store that nodes share goes and comes.
class StoreWatch {
 public:
  void look(const Service& service) {
    for (const auto& [name, state] : service.store_states()) {
      if (!state.shared) continue;
      const auto [at, fresh] = connected_.try_emplace(name, true);
      if (fresh)
        for (const std::string& risk : state.risks)
          log(Level::warn, "store at risk", {{"application", name}, {"risk", risk}});
      if (at->second == state.connected) continue;
      at->second = state.connected;
      if (state.connected)
        log(Level::info, "store connected",
            {{"application", name}, {"waiting", static_cast<std::int64_t>(state.buffered)}});
      else
        log(Level::warn, "store away", {{"application", name}, {"problem", state.problem}});
    }
  }

 private:
  std::map<std::string, bool> connected_;
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
  if (const auto& redis = service.options().application.redis)
    std::printf("store %s\n", redis->address.text().c_str());
  const bool ipv6 = http.address.find(':') != std::string::npos;
  std::printf("listening on %s://%s%s%s:%u\n", http.certificate.empty() ? "http" : "https",
              ipv6 ? "[" : "", http.address.c_str(), ipv6 ? "]" : "", server.port());
  std::fflush(stdout);
}

}  // namespace

int serve(const Settings& settings) {
  const sigset_t signals = hold_signals();
  if (auto done = begin_logging(settings); !done) return failed(done.error(), 2);
  auto http = http_options(settings);
  if (!http) return failed(http.error(), 2);
  http->socket = handed_socket();
  const auto options = service_options(settings);
  if (!options) return failed(options.error(), 2);
  auto service = Service::open(settings["data"], options.value());
  if (!service) return failed(service.error(), 1);
  const auto handle = [&](Request&& request, Respond respond) {
    service.value()->handle(std::move(request), std::move(respond));
  };
  auto server = HttpServer::start(http.value(), logged(handle));
  if (!server) return failed(server.error(), 1);
  greet(settings, *service.value(), *server.value(), http.value());
  log(Level::info, "started",
      {{"version", std::string(version)},
       {"port", std::int64_t{server.value()->port()}},
       {"applications", static_cast<std::int64_t>(service.value()->applications())}});

  notify_manager("READY=1");
  Upkeep upkeep(*service.value(), *server.value(), http->certificate);
  StoreWatch store;
  const timespec pause{1, 0};
  for (;;) {
    store.look(*service.value());
    const int number = sigtimedwait(&signals, nullptr, &pause);
    if (number == SIGTERM || number == SIGINT) break;
    upkeep.check(number == SIGHUP);
  }
  log(Level::info, "stopping",
      {{"connections", static_cast<std::int64_t>(server.value()->connections())}});
  notify_manager("STOPPING=1");
  // A second signal ends at once.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  server.value()->drain(10 * second);
  server.value()->stop();
  service.value().reset();
  log(Level::info, "stopped");
  return 0;
}

}  // namespace phe::serve::app
