// Uniform: any action, with equal probability; the most regret that a policy can have without
// trying.
#pragma once

#include "policies/configured.hpp"

namespace phe {

struct UniformOptions {};

class Uniform final : public Configured<Uniform, UniformOptions, Learner> {
 public:
  static const Keys<UniformOptions>& keys();
  static Result<void> check(const Arms&, const UniformOptions&) { return {}; }
  Uniform(const Arms& arms, const UniformOptions& options)
      : Configured(options), rows_(arms.dimension()) {}

  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  void observe(const Observation& /*observation*/) override {}
  bool explores(std::uint64_t /*round*/, Rng& /*rng*/) override { return true; }
  ArmId choose(Offered& /*offered*/, Rng& /*rng*/) override { return 0; }  // never asked
  double score(std::span<const double> /*x*/, Rng& /*rng*/) override { return 0.0; }
  void persist(Archive& /*archive*/) override {}
  void merge(const Learner& /*other*/) override {}

 private:
  Rows rows_;
};

}  // namespace phe
