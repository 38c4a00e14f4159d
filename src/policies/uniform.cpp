#include "policies/uniform.hpp"

#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

PolicyEntry uniform_entry() {
  return {"uniform", "any arm with equal probability: the regret of not learning",
          with_common_keys({}),
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            return make_policy(p, context,
                               [&] { return Result<Uniform>(Uniform(context.arms.dimension())); },
                               {.either_model = true});
          }};
}

}  // namespace phe
