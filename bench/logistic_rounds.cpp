// A round of the logistic policies, K = 100.
#include "support/compare.hpp"

namespace phe::bench {

void register_benchmarks() {
  const auto registry = Registry::built_in();
  if (!registry.problem("logistic")) return;
  compare_policies("logistic",
                   {{"logphe", "logphe:a=1,stop=gradient"},
                    {"logphe-certified", "logphe:a=1,stop=arm"},
                    {"logts", "logts"}},
                   logistic_comparators());
}

}  // namespace phe::bench
