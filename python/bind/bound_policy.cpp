#include "bound_policy.hpp"

#include "bound_instance.hpp"
#include "support/archive.hpp"

namespace phe::python {

namespace {

PolicySpec looked_up(const std::string& spec) { return unwrap(registry().policy(spec)); }

// A model per action is asked for by the key `disjoint`.
bool wants_disjoint(const PolicySpec& spec) {
  Parameters parameters = spec.parameters;
  for (const ParameterInfo& key : spec.entry->parameters)
    if (key.key == "disjoint") return parameters.flag("disjoint");
  return false;
}

PolicyContext context_of(const PolicyOptions& options, const PolicySpec& spec) {
  return {options.arms, options.rounds, options.rewards, false,
          options.one_context || wants_disjoint(spec)};
}

Kind kind_of(const PolicyContext& context) {
  if (context.one_context) return Kind::disjoint;
  return context.arms.empty() ? Kind::rows : Kind::arms;
}

// Rounds with fixed arms cost the same at any time, and these stay below 10 microseconds, those in
// which 16 rounds are drawn ahead or a matrix is factorised too. Not so those of logistic models
// and of resampled histories.
bool is_quick(const PolicySpec& spec, const Arms& arms) {
  if (arms.empty() || arms.size() > 200 || arms.dimension() > 20) return false;
  for (const char* name : {"linphe", "lints", "linucb", "lineps", "greedy", "uniform", "phe"})
    if (spec.parameters.name() == name) return true;
  return false;
}

}  // namespace

const Registry& registry() {
  static const Registry& all = *new Registry(Registry::built_in());  // outlives every module
  return all;
}

BoundPolicy::BoundPolicy(PolicyOptions options, PolicySpec spec, const PolicyContext& context,
                         Rng rng)
    : options_(std::move(options)),
      kind_(kind_of(context)),
      policy_(unwrap(spec.make(context))),
      rng_(rng),
      quick_(is_quick(spec, context.arms)) {}

BoundPolicy::BoundPolicy(PolicyOptions options)
    : BoundPolicy(options, looked_up(options.spec), context_of(options, looked_up(options.spec)),
                  Rng(options.seed)) {}

BoundPolicy::BoundPolicy(const std::string& spec, const BoundInstance& instance,
                         std::uint64_t rounds)
    : BoundPolicy({spec, instance->arms(), rounds, instance->reward_range(), instance.seed(),
                   instance.one_context()},
                  looked_up(spec), PolicyContext::of(*instance, rounds),
                  Rng(instance.policy_key(looked_up(spec)))) {}

std::string BoundPolicy::save_stream() {
  return with([](const Policy&, Rng& rng) {
    Archive archive;
    rng.persist(archive);
    return archive.written();
  });
}

void BoundPolicy::load_stream(std::string_view bytes) {
  with([&](const Policy&, Rng& rng) {
    Archive archive(bytes);
    Rng read = rng;
    read.persist(archive);
    archive.require(archive.left().empty(), "more bytes than a stream has");
    if (!archive.ok()) refuse("the stream of randomness: {}", archive.error().error().message);
    rng = read;
  });
}

}  // namespace phe::python
