// What Beta Thompson sampling does with a page of several slots, exactly.
#pragma once

#include <cstddef>
#include <vector>

#include "phe/result.hpp"

namespace phe::logs {

struct BetaParameters {
  double alpha = 1.0;
  double beta = 1.0;
};

// Thompson sampling draws one value from each arm's Beta law and gives slot k to the k-th largest.
// result[k - 1][a] = P(the draw of arm a is the k-th largest) for k = 1..ranks
//   = int f_a(x) [s^(k-1)] prod_{b != a} (F_b(x) + s (1 - F_b(x))) dx,
// by Gauss-Legendre quadrature on panels that are equal in sqrt(x): the rows sum to 1 within 1e-9
// for alpha from 1/2 and beta from 1 to 10^5. Errors: parameters that are not positive and finite,
// less than `ranks` arms.
Result<std::vector<std::vector<double>>> thompson_ranks(const std::vector<BetaParameters>& arms,
                                                        std::size_t ranks);

}  // namespace phe::logs
