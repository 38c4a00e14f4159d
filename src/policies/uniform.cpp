#include "policies/uniform.hpp"

#include "policies/entries.hpp"

namespace phe {

const Keys<UniformOptions>& Uniform::keys() {
  static const Keys<UniformOptions> keys("uniform", {});
  return keys;
}

PolicyEntry uniform_entry() {
  return entry_of<Uniform>("any arm with equal probability: the regret of not learning",
                           {.either_model = true});
}

}  // namespace phe
