#include "policies/log_ts.hpp"

#include "kernels/normal.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LogTs> LogTs::create(const Arms& arms, const LogTsOptions& options) {
  if (auto checked = first_error({check_positive("logts", "ridge", options.ridge),
                                  LogisticModel::check("logts", arms, options.ridge)});
      !checked)
    return checked.error();
  return LogTs(arms, options);
}

std::span<const double> LogTs::draw(Rng& rng) {
  for (double& normal : normals_) normal = kernels::normal(rng);
  fit();
  model_.perturb(normals_, theta_);
  return theta_;
}

PolicyEntry log_ts_entry() {
  return {"logts",
          "Thompson sampling on the logistic model, Laplace's approximation; rewards are 0 or 1",
          with_common_keys({{"ridge", "0.5", "the prior is N(0, I / (2 ridge)); > 0"}}),
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LogTsOptions options;
            options.ridge = p.real("ridge");
            return make_policy(p, context, [&] { return LogTs::create(context.arms, options); });
          }};
}

}  // namespace phe
