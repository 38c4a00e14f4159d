#include "policies/rff_phe.hpp"

#include "policies/entries.hpp"
#include "policies/mapped_policy.hpp"
#include "policies/warm_start.hpp"

namespace phe {

namespace {

constexpr std::uint64_t most_features = 20'000;

Result<void> check_map(const RffPheOptions& options) {
  if (options.features < 1 || options.features > most_features)
    return invalid("rffphe: features must be between 1 and {}, got {}", most_features,
                   options.features);
  return check_positive("rffphe", "scale", options.scale);
}

Result<std::unique_ptr<Policy>> make(Parameters& p, const PolicyContext& context) {
  RffPheOptions options = RffPheLearner::keys().read(p);
  if (!p.error()) return p.error().error();
  if (auto checked = first_error({check_map(options), check_arms("rffphe", context.arms)});
      !checked)
    return checked.error();
  options.inputs = context.arms.dimension();
  const auto map = std::make_shared<const FourierFeatures>(options.inputs, options.fourier());
  auto arms = map->map(context.arms);
  if (!arms) return arms.error();
  PolicyContext mapped = context;
  mapped.arms = std::move(arms).value();
  // A basis of the mapped arms would be min(K, D) of them.
  auto within = configured_policy<RffPheLearner>(
      p, mapped, options, {.fixed = Start::prior, .contexts = Start::prior, .has_prior = true});
  if (!within) return within.error();
  return std::make_unique<MappedPolicy>(map, std::move(within).value(), context.one_context);
}

}  // namespace

const Keys<RffPheOptions>& RffPheLearner::keys() {
  using O = RffPheOptions;
  static const Keys<O> keys(
      "rffphe", {{"features", &O::features, "number of random Fourier features, at least 1"},
                 {"scale", &O::scale, nullptr,
                  "how far apart points differ: the kernel is exp(-|x-y|^2 / (2 scale^2))"},
                 {"linear", &O::linear, "the features themselves stand beside the random ones"},
                 {"weight", &O::weight, check_positive,
                  "what the random features are multiplied by; auto: 1, beside linear 0.1"},
                 {"orthogonal", &O::orthogonal,
                  "random directions at right angles: a kernel nearer to the wanted one"},
                 {"draw", &O::draw, "which random features: a seed"},
                 {"a", &O::perturbation_scale, check_scale,
                  "perturbation scale: pseudo-rewards per observed reward, > 0"},
                 {"ridge", &O::ridge, nullptr, "regularisation lambda, > 0"},
                 {"fade", &O::fade, check_probability,
                  "pseudo-rewards per observed reward: a h^fade, h its leverage; 0: a, always"},
                 {"centred", &O::centred, "pseudo-rewards of mean 0 instead of 1/2"},
                 {"memory", &O::memory, memory_meaning},
                 {"inputs", &O::inputs},
                 {"start", static_cast<Start O::*>(&O::start), start_names()}});
  return keys;
}

Result<RffPheLearner> RffPheLearner::create(const Arms& mapped_arms, const RffPheOptions& options) {
  if (auto checked = first_error(
          {keys().check(options), check_map(options), LinPheLearner::check(mapped_arms, options)});
      !checked)
    return checked.error();
  return RffPheLearner(mapped_arms, options);
}

PolicyEntry rff_phe_entry() {
  return {"rffphe",
          "LinPHE on random Fourier features: kernel regression at a linear model's price",
          with_common_keys(RffPheLearner::keys().infos()), make};
}

}  // namespace phe
