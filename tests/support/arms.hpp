// Arms and vectors for tests.
#pragma once

#include <vector>

#include <Eigen/Dense>

#include "kernels/normal.hpp"
#include "phe/arms.hpp"
#include "phe/rng.hpp"

namespace phe::test {

// K arms whose d features are standard normal.
inline Arms normal_arms(std::size_t arms, std::size_t dimension, std::uint64_t seed) {
  Rng rng(seed);
  return Arms::generate(arms, dimension,
                        [&](std::size_t, std::size_t) { return kernels::normal(rng); })
      .value();
}

inline std::vector<double> normal_vector(std::size_t size, Rng& rng) {
  std::vector<double> values(size);
  for (double& value : values) value = kernels::normal(rng);
  return values;
}

inline Eigen::VectorXd row_of(const Arms& arms, ArmId arm) {
  Eigen::VectorXd row(static_cast<Eigen::Index>(arms.dimension()));
  arms.copy_row(arm, {row.data(), arms.dimension()});
  return row;
}

}  // namespace phe::test
