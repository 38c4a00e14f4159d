// The pages of phe-serve and of phe view: files of this folder, and the charts of dygraphs, inside
// the program. They load nothing from anywhere else.
#pragma once

#include <optional>
#include <string_view>

namespace phe::page {

struct Asset {
  std::string_view content_type;
  std::string_view body;
};

enum class Kind { service, folder };

// What is at a path: "/" is the page itself. Nothing where there is no such file.
std::optional<Asset> find_asset(Kind kind, std::string_view path);

// The headers of every asset: scripts and styles from this server alone, none inside the page,
// nothing sent elsewhere, no frame around it.
inline constexpr std::string_view headers =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cache-Control: no-cache\r\n";

}  // namespace phe::page
