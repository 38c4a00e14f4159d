// Uniform: any action, with equal probability; the most regret that a policy can have without
// trying.
#pragma once

#include <algorithm>

#include "policies/learner.hpp"

namespace phe {

class Uniform final : public Learner {
 public:
  explicit Uniform(std::size_t dimension) : rows_(dimension) {}

  [[nodiscard]] std::unique_ptr<Learner> clone() const override {
    return std::make_unique<Uniform>(*this);
  }
  [[nodiscard]] std::string_view name() const noexcept override { return "uniform"; }
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
  void identify(Archive& /*archive*/) override {}
  void persist(Archive& /*archive*/) override {}
  void merge(const Learner& /*other*/) override {}

 private:
  Rows rows_;
};

}  // namespace phe
