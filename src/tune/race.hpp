// Racing: who is significantly worse than the best so far, on instances that all of them had.
#pragma once

#include <cstddef>
#include <vector>

#include "report/replicates.hpp"

namespace phe::tune {

// The position of the lowest mean, the first of equal ones. Precondition: at least one list, none
// of them empty.
std::size_t lowest_mean(const std::vector<const std::vector<double>*>& losses);

// Positions of those whose loss is above that of the lowest mean by a significant margin: Student's
// t of the paired differences, one-sided, at level (1 - confidence) divided by the number of
// comparisons. Lists are of the same instances in the same order; fewer than 2 decide nothing.
std::vector<std::size_t> significantly_worse(const std::vector<const std::vector<double>*>& losses,
                                             double confidence,
                                             Replicates replicates = Replicates::independent);

}  // namespace phe::tune
