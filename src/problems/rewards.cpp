#include "problems/rewards.hpp"

#include "support/error.hpp"

namespace phe {

std::vector<ParameterInfo> reward_parameters(Laws laws) {
  std::vector<ParameterInfo> keys = {
      {"rewards", "bernoulli", "reward law given its mean: bernoulli | beta | uniform"},
      {"concentration", "4", "alpha + beta of the beta law; larger is less noise"},
      {"width", "1", "of the uniform law around the mean; narrowed to stay in [0, 1]"}};
  if (laws == Laws::all) {
    keys[0].meaning += " | gaussian";
    keys.push_back({"deviation", "1", "of the gaussian law, cut off at 4 deviations"});
  }
  return keys;
}

RewardOptions read_rewards(Parameters& p, Laws laws) {
  std::vector<std::string> names = {"bernoulli", "beta", "uniform"};
  if (laws == Laws::all) names.push_back("gaussian");
  RewardOptions options;
  options.law = static_cast<RewardLaw>(p.choice("rewards", names));
  options.concentration = p.real("concentration");
  options.width = p.real("width");
  if (laws == Laws::all) options.deviation = p.real("deviation");
  return options;
}

Result<void> check_rewards(std::string_view problem, const RewardOptions& options) {
  if (!(options.concentration > 0 && options.concentration <= 1e6))
    return invalid("problem {}: concentration must be > 0 and at most 1e+06, got {}", problem,
                   options.concentration);
  if (!(options.width >= 0 && options.width <= 1))
    return invalid("problem {}: width must be between 0 and 1, got {}", problem, options.width);
  if (!(options.deviation > 0 && options.deviation <= 1e6))
    return invalid("problem {}: deviation must be > 0 and at most 1e+06, got {}", problem,
                   options.deviation);
  return {};
}

}  // namespace phe
