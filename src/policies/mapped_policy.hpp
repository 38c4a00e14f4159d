// MappedPolicy: a policy that sees every feature vector through a map, FourierFeatures. Each vector
// is mapped once, whether one model is shared by all actions or each has its own; fixed arms were
// mapped when the policy was made. Names, states and merging are those of the policy within.
#pragma once

#include <memory>
#include <vector>

#include "models/fourier_features.hpp"
#include "phe/policy.hpp"

namespace phe {

class MappedPolicy final : public Policy {
 public:
  // `within` was made for what `map` makes of the arms, or of contexts; `one_context`: of one for
  // all actions of a round.
  MappedPolicy(std::shared_ptr<const FourierFeatures> map, std::unique_ptr<Policy> within,
               bool one_context)
      : map_(std::move(map)), within_(std::move(within)), one_context_(one_context) {}

  ArmId select(Rng& rng) override { return within_->select(rng); }
  Result<void> update(ArmId arm, double reward) override { return within_->update(arm, reward); }
  Result<std::size_t> select(const Actions& actions, Rng& rng) override;
  Result<void> update(std::span<const double> features, double reward) override;
  Result<void> update(ActionId action, std::span<const double> context, double reward) override;
  Result<void> weigh(double weight) override { return within_->weigh(weight); }
  Result<void> decide(Rng& rng, const DecideOptions& options, Decision& decision) override {
    return within_->decide(rng, options, decision);
  }
  Result<void> decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                      Decision& decision) override;
  [[nodiscard]] Result<void> fault() const override { return within_->fault(); }
  [[nodiscard]] std::string_view name() const noexcept override { return within_->name(); }
  [[nodiscard]] Result<std::string> save() const override { return within_->save(); }
  Result<void> load(std::string_view state) override { return within_->load(state); }
  Result<void> merge(const Policy& other) override;

  [[nodiscard]] Policy& within() noexcept { return *within_; }

 private:
  // What the policy within sees of `actions`, in mapped_.
  Result<Actions> mapped(const Actions& actions);
  Result<std::span<const double>> mapped(std::span<const double> x);

  std::shared_ptr<const FourierFeatures> map_;
  std::unique_ptr<Policy> within_;
  bool one_context_;
  std::vector<double> mapped_;
};

// What sees the features as the map makes them: the policy within, or `policy` itself.
inline Policy& unmapped(Policy& policy) {
  auto* const mapped = dynamic_cast<MappedPolicy*>(&policy);
  return mapped == nullptr ? policy : mapped->within();
}

}  // namespace phe
