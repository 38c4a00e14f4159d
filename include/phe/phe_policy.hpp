// PhePolicy: what LinPhe, LogPhe and OraclePhe share; they differ in the model alone.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "phe/history.hpp"
#include "phe/policy.hpp"

namespace phe {

class LearnerPolicy;

class PhePolicy : public Policy {
 public:
  ~PhePolicy() override;

  using Policy::update;
  ArmId select(Rng& rng) override;
  Result<void> update(ArmId arm, double reward) override;
  Result<std::size_t> select(const Actions& actions, Rng& rng) override;
  Result<void> update(std::span<const double> features, double reward) override;
  Result<void> weigh(double weight) override;
  Result<void> decide(Rng& rng, const DecideOptions& options, Decision& decision) override;
  Result<void> decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                      Decision& decision) override;
  [[nodiscard]] Result<void> fault() const override;
  [[nodiscard]] std::string_view name() const noexcept override;
  [[nodiscard]] Result<std::string> save() const override;
  Result<void> load(std::string_view state) override;
  Result<void> merge(const Policy& other) override;

  // Of fixed arms.
  [[nodiscard]] const History& history() const noexcept;

 protected:
  explicit PhePolicy(std::unique_ptr<LearnerPolicy> policy);
  // A copy draws all of its randomness from the rng that it is given.
  PhePolicy(const PhePolicy& other);
  PhePolicy(PhePolicy&&) noexcept;
  PhePolicy& operator=(PhePolicy other) noexcept;

  std::unique_ptr<LearnerPolicy> policy_;
};

}  // namespace phe
