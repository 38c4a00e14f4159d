// Uniform points on spheres, as the paper's generators use them.
#pragma once

#include <cmath>
#include <span>

#include "kernels/normal.hpp"

namespace phe {

// Fills `point` with a uniform point on the sphere of the given radius.
template <class Generator>
void draw_on_sphere(std::span<double> point, double radius, Generator& rng) noexcept {
  double squares = 0.0;
  do {
    squares = 0.0;
    for (double& x : point) {
      x = kernels::normal(rng);
      squares += x * x;
    }
  } while (squares < 1e-200);
  const double scale = radius / std::sqrt(squares);
  for (double& x : point) x *= scale;
}

}  // namespace phe
