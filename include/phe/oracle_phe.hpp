// OraclePhe: perturbed-history exploration with any model. Each round fits the model to the history
// mixed with fresh pseudo-rewards and takes the action that it scores highest; or, where a fit is
// dear, one of several fits that are kept until the next refit.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "phe/arms.hpp"
#include "phe/oracle.hpp"
#include "phe/phe_policy.hpp"
#include "phe/result.hpp"

namespace phe {

// When models are fitted anew: for every choice, after so many more rewards, or when the history
// has grown by a factor.
struct Refit {
  std::uint64_t rewards = 1;  // 0: by growth
  double growth = 1.0;

  static Refit every(std::uint64_t rewards) { return {rewards, 1.0}; }
  static Refit when_grown_by(double factor) { return {0, factor}; }
  [[nodiscard]] bool always() const noexcept { return rewards == 1; }

  friend bool operator==(const Refit&, const Refit&) = default;
};

struct OraclePheOptions {
  double perturbation_scale = 1.0;  // a: pseudo-rewards per observed reward
  bool centred = false;             // pseudo-rewards Z - 1/2
  Refit refit = {};
  std::uint64_t fits = 8;  // kept between refits, each with pseudo-rewards of its own
  RewardRange rewards = {};
  // The basis for fixed arms; d random rounds in contexts: an oracle has no prior to perturb.
  Start start = Start::automatic;
};

class OraclePhe final : public PhePolicy {
 public:
  // For fixed arms, and for contexts of d features. `oracle` is its name, in messages and in saved
  // states.
  static Result<OraclePhe> create(Arms arms, std::string oracle, MakeOracle make,
                                  const OraclePheOptions& options = {});
  static Result<OraclePhe> create(std::size_t dimension, std::string oracle, MakeOracle make,
                                  const OraclePheOptions& options = {});

 private:
  using PhePolicy::PhePolicy;
};

}  // namespace phe
