// Session: who writes into a results folder, and since when. Its .lock holds it, as a line of JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace phe {

struct Session {
  std::int64_t began = 0;  // seconds since 1970
  std::uint64_t had = 0;   // runs that were there before
  double had_seconds = 0;  // and their processor time
  std::int64_t process = 0;
  std::string host = {};

  // One of this process, beginning now.
  static Session of_this_process(std::uint64_t had, double had_seconds);
  // Whether its process is known to run, or known not to: nothing on another host.
  [[nodiscard]] std::optional<bool> is_alive() const;
};

std::string to_text(const Session& session);
std::optional<Session> session_from(std::string_view text);

}  // namespace phe
