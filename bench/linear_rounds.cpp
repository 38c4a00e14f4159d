// A round of the linear policies, K = 100.
#include "support/compare.hpp"

namespace phe::bench {

void register_benchmarks() {
  compare_policies(
      "linear",
      {{"linphe", "linphe:a=1"}, {"lints", "lints"}, {"linucb", "linucb"}, {"lineps", "lineps"}},
      linear_comparators());
}

}  // namespace phe::bench
