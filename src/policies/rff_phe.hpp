// RffPhe: LinPHE on random Fourier features: kernel regression at the price of a linear model
// (models/fourier_features.hpp, policies/mapped_policy.hpp). In all else it is LinPHE.
#pragma once

#include <optional>

#include "models/fourier_features.hpp"
#include "policies/lin_phe_learner.hpp"

namespace phe {

struct RffPheOptions : LinPheOptions {
  std::uint64_t features = 256;  // D
  double scale = 1.0;            // of the kernel
  bool linear = false;
  std::optional<double> weight;  // of the random features
  bool orthogonal = false;
  std::uint64_t draw = 1;    // of the features
  std::uint64_t inputs = 0;  // d

  [[nodiscard]] FourierOptions fourier() const {
    return {features, scale, linear, weight.value_or(linear ? 0.1 : 1.0), orthogonal, draw};
  }
};

// Sees mapped features only. What it adds to LinPHE's learner is who it is.
class RffPheLearner final : public LinPheLearner {
 public:
  using Options = RffPheOptions;
  static const Keys<RffPheOptions>& keys();
  static Result<RffPheLearner> create(const Arms& mapped_arms, const RffPheOptions& options);
  RffPheLearner(const Arms& mapped_arms, const RffPheOptions& options)
      : LinPheLearner(mapped_arms, options), options_(options) {}

  [[nodiscard]] std::unique_ptr<Learner> clone() const override {
    return std::make_unique<RffPheLearner>(*this);
  }
  [[nodiscard]] std::string_view name() const noexcept override { return keys().policy(); }
  void identify(Archive& archive) override { keys().identify(archive, options_); }

 private:
  RffPheOptions options_;
};

}  // namespace phe
