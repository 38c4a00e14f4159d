#include "record/session.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include <unistd.h>

#include "record/experiment_json.hpp"

namespace phe {

namespace {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

}  // namespace

Session Session::of_this_process(std::uint64_t had, double had_seconds) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::seconds>(now).count(), had, had_seconds,
          ::getpid(), host_name()};
}

std::optional<bool> Session::is_alive() const {
  if (host != host_name()) return std::nullopt;
  return ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
}

std::string to_text(const Session& session) {
  return dumped({{"began", session.began},
                 {"had", session.had},
                 {"had_seconds", session.had_seconds},
                 {"process", session.process},
                 {"host", session.host}}) +
         '\n';
}

std::optional<Session> session_from(std::string_view text) try {
  const Json json = Json::parse(text);
  Session session;
  session.began = json.at("began").get<std::int64_t>();
  session.had = count(json.at("had"));
  session.had_seconds = json.at("had_seconds").get<double>();
  session.process = json.at("process").get<std::int64_t>();
  session.host = json.at("host").get<std::string>();
  if (session.process <= 0) return std::nullopt;  // kill() would take it for something else
  return session;
} catch (const Json::exception&) {
  return std::nullopt;
}

}  // namespace phe
