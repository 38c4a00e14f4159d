#include "policies/log_ts.hpp"

#include "kernels/normal.hpp"
#include "policies/entries.hpp"

namespace phe {

const Keys<LogTsOptions>& LogTs::keys() {
  static const Keys<LogTsOptions> keys("logts", {{"ridge", &LogTsOptions::ridge, check_positive,
                                                  "the prior is N(0, I / (2 ridge)); > 0"}});
  return keys;
}

std::span<const double> LogTs::draw(Rng& rng) {
  for (double& normal : normals_) normal = kernels::normal(rng);
  fit();
  model_.perturb(normals_, theta_);
  return theta_;
}

PolicyEntry log_ts_entry() {
  return entry_of<LogTs>(
      "Thompson sampling on the logistic model, Laplace's approximation; rewards are 0 or 1");
}

}  // namespace phe
