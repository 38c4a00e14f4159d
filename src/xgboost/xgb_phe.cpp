#include "xgboost/xgb_phe.hpp"

namespace phe {

namespace {

using O = XgbPheOptions;

Result<void> check_from_one(std::string_view key, std::uint64_t value, std::uint64_t most) {
  if (value >= 1 && value <= most) return {};
  return invalid("xgbphe: {} must be between 1 and {}, got {}", key, most, value);
}

// XGBoost computes in single precision.
Result<void> check_moderate(std::string_view policy, std::string_view key, double value) {
  if (auto checked = check_positive(policy, key, value); !checked) return checked;
  if (value >= 1e-30 && value <= 1e30) return {};
  return invalid("{}: {} must be between 1e-30 and 1e+30, got {}", policy, key, value);
}

TreeOptions trees_of(const O& o) { return {o.trees, o.depth, o.rate, o.ridge, o.child_weight}; }

// Precondition: the text of refit can be read.
OraclePheOptions exploration_of(const O& o) {
  OraclePheOptions options;
  options.perturbation_scale = o.perturbation_scale;
  options.centred = o.centred;
  options.refit = parse_refit("xgbphe", o.refit).value();
  options.fits = o.fits;
  return options;
}

}  // namespace

const Keys<O>& XgbPheLearner::keys() {
  static const Keys<O> keys(
      "xgbphe",
      {{"trees", &O::trees, "number of trees in a fit, at least 1"},
       {"depth", &O::depth, "of each tree, from 1 to 16"},
       {"rate", &O::rate, check_moderate, "how much of its fit each tree adds, > 0"},
       {"ridge", &O::ridge, check_moderate, "regularisation lambda of the leaves' values, > 0"},
       {"child", &O::child_weight, check_moderate, "least weight of the rows in a leaf, > 0"},
       {"refit", "fit anew for every choice: 1 | after N more rewards: N | after growth by F: xF",
        [](Parameters& p, O& o) { o.refit = p.text("refit"); }, [](const O& o) { return o.refit; }},
       {"fits", &O::fits, "fits kept between refits, of which one is drawn for each choice"},
       {"a", &O::perturbation_scale, check_scale,
        "perturbation scale: pseudo-rewards per observed reward, > 0"},
       {"centred", &O::centred, "pseudo-rewards of mean 0 instead of 1/2"}});
  return keys;
}

Result<void> XgbPheLearner::check(const Arms& arms, const O& options) {
  if (auto refit = parse_refit("xgbphe", options.refit); !refit) return refit.error();
  return first_error({check_from_one("trees", options.trees, 10'000),
                      check_from_one("depth", options.depth, 16), check_arms("xgbphe", arms),
                      OracleLearner::check("xgbphe", exploration_of(options))});
}

XgbPheLearner::XgbPheLearner(const Arms& arms, const O& options)
    : Configured(options, arms, "xgboost", boosted_trees(trees_of(options)),
                 exploration_of(options)) {}

PolicyEntry xgb_phe_entry() {
  return entry_of<XgbPheLearner>("perturbed-history exploration with boosted trees (XGBoost)",
                                 {.fixed = Start::basis, .contexts = Start::random});
}

}  // namespace phe
