#include "serve/redis_address.hpp"

#include "serve/path.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::serve {

Result<RedisAddress> RedisAddress::parse(std::string_view url) {
  const Error wrong{"store must be redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]"};
  constexpr std::string_view scheme = "redis://";
  if (url.starts_with("rediss://"))
    return Error{
        "store: rediss:// (TLS) is not supported; put a tunnel in front, or a private net"};
  if (!url.starts_with(scheme)) return wrong;
  url.remove_prefix(scheme.size());
  RedisAddress address;
  if (const auto at = url.rfind('@'); at != url.npos) {
    const std::string_view login = url.substr(0, at);
    url.remove_prefix(at + 1);
    const auto colon = login.find(':');
    if (colon == login.npos) return wrong;
    const auto user = percent_decoded(login.substr(0, colon));
    const auto password = percent_decoded(login.substr(colon + 1));
    if (!user || !password) return wrong;
    address.user = *user;
    address.password = *password;
  }
  if (const auto slash = url.find('/'); slash != url.npos) {
    const std::string_view name = url.substr(slash + 1);
    const auto number = parse_number<int>(name);
    if (!name.empty() && (!number || *number < 0 || *number > 1'000'000)) return wrong;
    address.database = number.value_or(0);
    url = url.substr(0, slash);
  }
  const auto bracket = url.rfind(']');  // of an IPv6 address
  if (const auto colon = url.rfind(':');
      colon != url.npos && (bracket == url.npos || colon > bracket)) {
    const auto port = parse_number<std::uint16_t>(url.substr(colon + 1));
    if (!port || *port == 0) return wrong;
    address.port = *port;
    url = url.substr(0, colon);
  }
  if (url.starts_with('[') && url.ends_with(']')) url = url.substr(1, url.size() - 2);
  if (url.empty()) return wrong;
  address.host = url;
  return address;
}

std::string RedisAddress::text() const {
  const bool ipv6 = host.find(':') != std::string::npos;
  return fmt::format("redis://{}{}{}:{}/{}", ipv6 ? "[" : "", host, ipv6 ? "]" : "", port,
                     database);
}

}  // namespace phe::serve
