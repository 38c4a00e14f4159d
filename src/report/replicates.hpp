// Replicates: what the spread between repeated measurements says about their mean.
#pragma once

#include <cmath>
#include <cstddef>

#include "phe/simulate.hpp"

namespace phe {

enum class Replicates {
  independent,  // instances of a problem: the error of their mean falls with their number
  // Random halves of the rows of one log. A mean over half of n rows, drawn without replacement,
  // varies as much from half to half as one over all n does from log to log: sigma^2 / n. So their
  // standard deviation is the standard error (the delete-half jackknife), however many are drawn.
  halves
};

// What the standard error of independent replicates is multiplied by.
inline double error_factor(Replicates replicates, std::size_t count) noexcept {
  return replicates == Replicates::halves ? std::sqrt(static_cast<double>(count)) : 1.0;
}

inline MeanAndError mean_and_error(const std::vector<double>& values,
                                   Replicates replicates) noexcept {
  auto [mean, error] = mean_and_error(values);
  return {mean, error * error_factor(replicates, values.size())};
}

}  // namespace phe
