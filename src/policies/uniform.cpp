#include "policies/uniform.hpp"

#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

PolicyEntry uniform_entry() {
  return {"uniform",
          "any arm with equal probability: the regret of not learning",
          {},
          [](Parameters&, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            return std::make_unique<Uniform>(context.arms.size());
          }};
}

}  // namespace phe
