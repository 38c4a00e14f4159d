#include "page/page.hpp"

#include <array>

#include "page_files.hpp"

namespace phe::page {

namespace {

struct File {
  std::string_view path;
  Asset asset;
};

constexpr std::string_view css = "text/css; charset=utf-8";
constexpr std::string_view script = "text/javascript; charset=utf-8";
constexpr std::string_view html = "text/html; charset=utf-8";

constexpr std::array shared{
    File{"/page/page.css", {css, embedded::page_css}},
    File{"/page/charts.js", {script, embedded::charts_js}},
    File{"/page/dygraph.js", {script, embedded::dygraph_min_js}},
    File{"/page/dygraph.css", {css, embedded::dygraph_min_css}},
    File{"/page/icon.svg", {"image/svg+xml", embedded::icon_svg}},
};
constexpr std::array service{File{"/", {html, embedded::service_html}},
                             File{"/page/service.js", {script, embedded::service_js}}};
constexpr std::array folder{File{"/", {html, embedded::folder_html}},
                            File{"/page/folder.js", {script, embedded::folder_js}}};

}  // namespace

std::optional<Asset> find_asset(Kind kind, std::string_view path) {
  for (const File& file : shared)
    if (file.path == path) return file.asset;
  for (const File& file : kind == Kind::service ? service : folder)
    if (file.path == path) return file.asset;
  return std::nullopt;
}

}  // namespace phe::page
