// Uniform: any action, with equal probability; the most regret that a policy can have without
// trying.
#pragma once

#include <algorithm>

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
  [[nodiscard]] double exploration(std::uint64_t /*round*/) const noexcept override { return 1.0; }
  bool explores(std::uint64_t /*round*/, Rng& /*rng*/) override { return true; }
  ArmId choose(Offered& /*offered*/, Rng& /*rng*/) override { return 0; }  // never asked
  bool probabilities(Offered& /*offered*/, std::span<double> of_each) override {
    std::ranges::fill(of_each, 1.0 / static_cast<double>(of_each.size()));
    return true;
  }
  double score(std::span<const double> /*x*/, Rng& /*rng*/) override { return 0.0; }
  [[nodiscard]] bool certain() const noexcept override { return true; }
  void persist(Archive& /*archive*/) override {}
  void merge(const Learner& /*other*/) override {}

 private:
  Rows rows_;
};

}  // namespace phe
