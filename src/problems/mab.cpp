#include "problems/mab.hpp"

#include "support/error.hpp"

namespace phe {

Result<MabProblem> MabProblem::create(const MabOptions& options) {
  if (options.arms < 1 || options.arms > 10'000)
    return invalid("problem mab: arms must be between 1 and 10000, got {}", options.arms);
  const bool gaussian = options.rewards.law == RewardLaw::gaussian;
  if (!gaussian && !(options.low >= 0 && options.low <= options.high && options.high <= 1))
    return invalid("problem mab: means must have 0 <= low <= high <= 1, got low {} and high {}",
                   options.low, options.high);
  if (gaussian && !(options.low >= -1e6 && options.low <= options.high && options.high <= 1e6))
    return invalid(
        "problem mab: means must have -1e6 <= low <= high <= 1e6, got low {} and high {}",
        options.low, options.high);
  if (auto checked = check_rewards("mab", options.rewards); !checked) return checked.error();
  return MabProblem(options);
}

Result<std::unique_ptr<const Instance>> MabProblem::draw(StreamKey key) const {
  Rng rng(key.with(Stream::instance));
  std::vector<double> means(options_.arms);
  for (double& mean : means) mean = options_.low + (options_.high - options_.low) * to_unit(rng());
  auto arms = Arms::generate(
      options_.arms, options_.arms,
      [](std::size_t arm, std::size_t feature) { return arm == feature ? 1.0 : 0.0; });
  if (!arms) return arms.error();
  return std::make_unique<const NoisyInstance>(std::move(arms).value(), std::move(means),
                                               options_.rewards.noise(key),
                                               options_.rewards.range(options_.low, options_.high));
}

ProblemEntry mab_entry() {
  std::vector<ParameterInfo> keys = {{"arms", "10", "number of arms K"},
                                     {"low", "0.25", "smallest mean, from 0; any if gaussian"},
                                     {"high", "0.75", "largest mean, up to 1; any if gaussian"}};
  for (auto& key : reward_parameters(Laws::all)) keys.push_back(std::move(key));
  return {"mab", "multi-armed bandit: independent arms, means uniform on [low, high]",
          std::move(keys), [](Parameters& p) -> Result<std::unique_ptr<const Problem>> {
            MabOptions options;
            options.arms = p.count("arms");
            options.low = p.real("low");
            options.high = p.real("high");
            options.rewards = read_rewards(p, Laws::all);
            if (!p.error()) return p.error().error();
            auto problem = MabProblem::create(options);
            if (!problem) return problem.error();
            return std::make_unique<const MabProblem>(std::move(problem).value());
          }};
}

}  // namespace phe
