#include "bound_instance.hpp"

#include "bound_policy.hpp"

namespace phe::python {

BoundInstance::BoundInstance(const std::string& spec, std::uint64_t seed, std::uint64_t number)
    : spec_(unwrap(registry().problem(spec))),
      seed_(seed),
      number_(number),
      instance_(unwrap(spec_.instance(seed, number))),
      contexts_(dynamic_cast<const ContextInstance*>(instance_.get())) {}

StreamKey BoundInstance::policy_key(const PolicySpec& policy) const {
  return spec_.instance_key(seed_, number_)
      .with(Stream::policy)
      .with(policy.parameters.canonical());
}

}  // namespace phe::python
