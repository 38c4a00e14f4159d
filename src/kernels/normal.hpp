// Standard normal draws by the ziggurat (Marsaglia & Tsang 2000; Doornik 2005), 256 layers.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "kernels/elementary.hpp"
#include "phe/rng.hpp"

namespace phe::kernels {

// Layers of equal area under exp(-x^2 / 2): layer i covers |x| < edge[i], its inner part
// |x| < edge[i + 1] lies wholly under the curve. Layer 0 also stands for the tail beyond `tail`.
struct Ziggurat {
  static constexpr int layers = 256;
  static constexpr double tail = 3.6541528853610092;
  static constexpr double area = 4.928673233974648e-3;
  std::array<double, layers + 1> edge;
  std::array<double, layers + 1> height;  // exp(-edge^2 / 2)

  static const Ziggurat& instance() noexcept;
};

// One 64-bit word decides 98.8% of the draws: 8 bits for the layer, 1 sign bit, 53 for the place.
template <class Generator>
double normal(Generator& rng) noexcept {
  const Ziggurat& z = Ziggurat::instance();
  for (;;) {
    const std::uint64_t word = rng();
    const auto layer = static_cast<std::size_t>(word & 0xff);
    const double sign = (word & 0x100) != 0 ? -1.0 : 1.0;
    const double x = to_unit(word) * z.edge[layer];
    if (x < z.edge[layer + 1]) return sign * x;
    if (layer == 0) {
      // Marsaglia's exact tail: an exponential beyond `tail`, accepted against another.
      for (;;) {
        const double a = -log(1.0 - to_unit(rng())) / Ziggurat::tail;
        const double b = -log(1.0 - to_unit(rng()));
        if (b + b > a * a) return sign * (Ziggurat::tail + a);
      }
    }
    const double y = z.height[layer] + to_unit(rng()) * (z.height[layer + 1] - z.height[layer]);
    if (y < exp(-0.5 * x * x)) return sign * x;
  }
}

}  // namespace phe::kernels
