#include "serve/features.hpp"

#include <algorithm>

namespace phe::serve {

void hash_action(std::span<const Feature> context, std::span<const Feature> action,
                 std::span<double> row) noexcept {
  std::ranges::fill(row, 0.0);
  row[0] = 1.0;
  for (const Feature& f : action) {
    const Slot alone = slot_of(0, f.name, row.size());
    row[alone.place] += alone.sign * f.value;
    for (const Feature& c : context) {
      const Slot pair = slot_of_part(c.name, f.name, row.size());
      row[pair.place] += pair.sign * (c.value * f.value);
    }
  }
}

}  // namespace phe::serve
