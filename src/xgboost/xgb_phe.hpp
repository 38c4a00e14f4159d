// XgbPhe: perturbed-history exploration with boosted trees (policies/oracle_learner.hpp). Built
// where XGBoost is found.
#pragma once

#include <string>

#include "policies/configured.hpp"
#include "policies/oracle_learner.hpp"
#include "xgboost/boosted_trees.hpp"

namespace phe {

struct XgbPheOptions {
  std::uint64_t trees = 50;
  std::uint64_t depth = 4;
  double rate = 0.3;
  double ridge = 1.0;
  double child_weight = 1.0;
  std::string refit = "x1.5";
  std::uint64_t fits = 8;
  double perturbation_scale = 0.2;
  bool centred = false;
};

class XgbPheLearner final : public Configured<XgbPheLearner, XgbPheOptions, OracleLearner> {
 public:
  static const Keys<XgbPheOptions>& keys();
  static Result<void> check(const Arms& arms, const XgbPheOptions& options);
  XgbPheLearner(const Arms& arms, const XgbPheOptions& options);
};

PolicyEntry xgb_phe_entry();

}  // namespace phe
