// BoostedTrees: an Oracle of gradient-boosted trees, fitted by XGBoost through its C interface. One
// thread and exact splits, so that the same rows give the same trees.
#pragma once

#include <cstdint>

#include "phe/oracle.hpp"

namespace phe {

struct TreeOptions {
  std::uint64_t trees = 50;
  std::uint64_t depth = 4;
  double rate = 0.3;          // how much of its fit each tree adds
  double ridge = 1.0;         // lambda, on the values of leaves
  double child_weight = 1.0;  // the least weight of a leaf
};

MakeOracle boosted_trees(const TreeOptions& options);

}  // namespace phe
