// How a policy is called and drawn: the same in every figure and table, on screen and in grey.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phe/registry.hpp"

namespace phe {

struct PolicyStyle {
  std::string label;
  std::string colour;  // of colours.hpp
  int dash = 1;        // gnuplot's numbers: the dashes and markers tell lines apart without colour
  int marker = 1;
};

// "LinPHE a = 2" for "linphe:a=2"; a name of somebody's own stays as it is.
std::string policy_label(std::string_view spec);

// One style per policy, no two alike. A policy of the paper, however it is written, has its own in
// every figure; the others take what is left, in their order.
std::vector<PolicyStyle> styles_of(const std::vector<PolicySpec>& policies);

}  // namespace phe
