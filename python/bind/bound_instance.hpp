// BoundInstance: one instance of a problem, as Python holds it. Immutable, so threads may share it.
#pragma once

#include <memory>
#include <string>

#include "arguments.hpp"
#include "phe/problem.hpp"
#include "phe/registry.hpp"

namespace phe::python {

class BoundInstance {
 public:
  BoundInstance(const std::string& spec, std::uint64_t seed, std::uint64_t number);

  const Instance& operator*() const noexcept { return *instance_; }
  const Instance* operator->() const noexcept { return instance_.get(); }
  // Null with fixed arms.
  [[nodiscard]] const ContextInstance* contexts() const noexcept { return contexts_; }

  [[nodiscard]] bool one_context() const noexcept {
    return contexts_ != nullptr && contexts_->one_context();
  }

  [[nodiscard]] const std::string& spec() const noexcept { return spec_.text; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] std::uint64_t most_rounds() const noexcept { return spec_.problem->most_rounds(); }
  // The stream of a policy that the simulator runs on it.
  [[nodiscard]] StreamKey policy_key(const PolicySpec& policy) const;

 private:
  ProblemSpec spec_;
  std::uint64_t seed_;
  std::uint64_t number_;
  std::unique_ptr<const Instance> instance_;
  const ContextInstance* contexts_;
};

}  // namespace phe::python
