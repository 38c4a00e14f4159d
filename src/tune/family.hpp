// Family: a policy with ranges in place of values, and the policies in it.
//
//   linphe:a=0.01..4,ridge=1      a anywhere from 0.01 to 4, on a logarithmic scale
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phe/registry.hpp"
#include "phe/result.hpp"
#include "spec/spec_text.hpp"

namespace phe::tune {

struct Range {
  std::string key;
  double low = 0.0;  // 0 < low < high
  double high = 0.0;
  bool whole = false;  // whole numbers alone

  // The value at `place` in [0, 1], log(low) to log(high), to three digits and within the range.
  [[nodiscard]] std::string value_at(double place) const;
};

// A place for each range. One without ranges is one policy.
using Place = std::vector<double>;

struct Family {
  std::string text;  // as it was asked for
  std::string name;
  std::vector<SpecItem> items;  // values of ranges stand here as they were typed
  std::vector<Range> ranges;    // in the order of the items

  // The policy at that place.
  [[nodiscard]] std::string spec_at(const Place& place) const;
};

// The families that a text stands for: one, or with a grid one per combination of its values.
// Refuses a range that is empty, reversed, not above 0 or not of numbers.
Result<std::vector<Family>> families_of(std::string_view text);

// That policies can be made at both ends of every range, in that context; finds out which ranges
// are of whole numbers.
Result<void> settle(Family& family, const Registry& registry, const FileLocator& locate,
                    const PolicyContext& context);

}  // namespace phe::tune
