// Where a Redis is: redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "phe/result.hpp"

namespace phe::serve {

struct RedisAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = 6379;
  int database = 0;
  std::string user = {}, password = {};

  // Errors do not repeat the text: it may hold a password.
  static Result<RedisAddress> parse(std::string_view url);
  // Without user and password, to be shown.
  [[nodiscard]] std::string text() const;
};

}  // namespace phe::serve
