#include "support/contexts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "kernels/normal.hpp"

namespace phe::bench {

namespace {

std::vector<double> draw_uniforms(Rng& rng) {
  std::vector<double> uniforms(4096);
  for (double& uniform : uniforms) uniform = to_unit(rng());
  return uniforms;
}

}  // namespace

Contexts draw_contexts(const std::string& problem, std::size_t rounds) {
  const auto instance = draw_instance(problem);
  const auto& bandit = dynamic_cast<const ContextInstance&>(*instance);
  Rng rng(StreamKey(seed).with(Stream::test));
  Contexts contexts{bandit.arms().dimension(), 0, {}, {}, draw_uniforms(rng)};
  ContextRound offered;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    bandit.offer(round, offered);
    contexts.actions = offered.means.size();
    contexts.features.insert(contexts.features.end(), offered.features.begin(),
                             offered.features.end());
    contexts.means.insert(contexts.means.end(), offered.means.begin(), offered.means.end());
  }
  return contexts;
}

Contexts draw_images() {
  constexpr std::size_t pixels = 64;
  constexpr std::size_t digits = 10;
  Rng rng(StreamKey(seed).with(Stream::test));
  std::vector<double> prototypes(digits * pixels);
  for (double& shade : prototypes) shade = 8.0 * kernels::normal(rng);
  Contexts contexts{pixels, digits, {}, std::vector<double>(images * digits), draw_uniforms(rng)};
  for (std::size_t i = 0; i < images; ++i) {
    const std::size_t digit = rng.below(digits);
    contexts.means[i * digits + digit] = 1.0;
    for (std::size_t p = 0; p < pixels; ++p) {
      const double shade = prototypes[digit * pixels + p] + 4.0 * kernels::normal(rng);
      contexts.features.push_back(std::round(std::clamp(shade, 0.0, 16.0)) / 16.0);
    }
  }
  return contexts;
}

std::optional<PolicySpec> find_context_policy(const std::string& spec) {
  static const Registry registry = Registry::built_in();
  auto found = registry.policy(spec);
  if (found) return std::move(found).value();
  std::fprintf(stderr, "bench: skipped %s: %s\n", spec.c_str(), found.error().message.c_str());
  return std::nullopt;
}

ContextPlayer make_player(const PolicySpec& policy, const Contexts& contexts,
                          std::uint64_t rounds) {
  const bool one_context = contexts.features.size() == contexts.rounds() * contexts.dimension;
  auto made = policy.make({Arms::none(contexts.dimension), rounds, {}, true, one_context});
  if (made) return {std::move(made).value(), contexts.actions};
  std::fprintf(stderr, "bench: %s\n", made.error().message.c_str());
  std::exit(1);
}

}  // namespace phe::bench
