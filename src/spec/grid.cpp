#include "spec/grid.hpp"

#include <algorithm>

#include "spec/spec_text.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

constexpr std::size_t most_specs = 10'000;

// One way of writing each item: `a=0.1|1` gives `a=0.1` and `a=1`.
Result<std::vector<std::string>> alternatives(std::string_view kind, std::string_view item) {
  const auto values = split_outside_quotes(item, '|');
  if (values.size() == 1) return std::vector<std::string>{std::string(item)};
  const auto equals = item.find('=');
  const std::string_view key = item.substr(0, std::min(equals, values.front().size()));
  if (equals >= values.front().size())
    return invalid("{}: a grid needs a key, as in a=0.5|1, got '{}'", kind, item);
  std::vector<std::string> written;
  for (std::string_view value : values) {
    if (written.empty()) value.remove_prefix(equals + 1);
    if (trim(value).empty())
      return invalid("{}: a value is missing in '{}'; a grid is written {}=VALUE|VALUE", kind, item,
                     trim(key));
    written.push_back(fmt::format("{}={}", key, trim(value)));
  }
  return written;
}

}  // namespace

Result<std::vector<std::string>> expand_grid(std::string_view kind, std::string_view spec) {
  const auto colon = spec.find(':');
  if (colon == std::string_view::npos || spec.find('|') == std::string_view::npos)
    return std::vector<std::string>{std::string(spec)};
  std::vector<std::string> specs = {std::string(spec.substr(0, colon))};
  char mark = ':';
  for (const std::string_view item : split_outside_quotes(spec.substr(colon + 1), ',')) {
    const auto written = alternatives(kind, item);
    if (!written) return written.error();
    if (specs.size() * written->size() > most_specs)
      return invalid("{}: '{}' stands for more than {}; split it", kind, spec, most_specs);
    std::vector<std::string> longer;
    for (const std::string& before : specs)
      for (const std::string& one : written.value()) longer.push_back(before + mark + one);
    specs = std::move(longer);
    mark = ',';
  }
  return specs;
}

Result<std::vector<std::string>> expand_grids(std::string_view kind,
                                              const std::vector<std::string>& specs) {
  std::vector<std::string> all;
  for (const std::string& spec : specs) {
    auto some = expand_grid(kind, spec);
    if (!some) return some.error();
    for (std::string& one : some.value()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace phe
