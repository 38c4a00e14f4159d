// The grammar of specs, `name:key=value,key=value`.
//
// A value may stand in double quotes; commas and bars (grid.hpp) are then part of it, and a quote
// within is doubled: features="a ""b"", c.csv".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phe {

struct SpecItem {
  std::string key;
  std::optional<std::string> value;  // none when the key stands alone
};

// The name before the colon.
std::string_view name_of(std::string_view spec);
// What follows it, item by item, trimmed; nothing when a quote is not closed, or does not enclose
// the whole value.
std::optional<std::vector<SpecItem>> items_of(std::string_view spec);

// The parts of `text` between marks that are not within double quotes.
std::vector<std::string_view> split_outside_quotes(std::string_view text, char mark);

// The value as it must be written in a spec: in quotes where it needs them.
std::string spec_value(std::string_view value);

}  // namespace phe
