// How a policy of the paper is called and drawn: the same in both figures, on screen and in grey.
#pragma once

#include <string>
#include <string_view>

namespace phe {

struct PolicyStyle {
  std::string label;
  std::string colour;  // of palette.hpp
  int dash = 1;        // gnuplot's numbers: the dashes and markers tell lines apart without colour
  int marker = 1;
};

// `spec` as in the experiment, "linphe:a=2"; one that the paper does not have is labelled by its
// spec, and drawn by its position among the policies.
PolicyStyle style_of(std::string_view spec, std::size_t position);

}  // namespace phe
