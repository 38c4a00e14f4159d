#include "kernels/normal.hpp"

namespace phe::kernels {

namespace {

Ziggurat build() noexcept {
  Ziggurat z{};
  const double tail_height = exp(-0.5 * Ziggurat::tail * Ziggurat::tail);
  // Layer 0 is the strip below tail_height, widened so that its area includes the tail's.
  z.edge[0] = Ziggurat::area / tail_height;
  z.edge[1] = Ziggurat::tail;
  z.height[0] = 0.0;
  z.height[1] = tail_height;
  for (std::size_t i = 2; i < Ziggurat::layers; ++i) {
    z.height[i] = z.height[i - 1] + Ziggurat::area / z.edge[i - 1];
    z.edge[i] = std::sqrt(-2.0 * log(z.height[i]));
  }
  z.edge[Ziggurat::layers] = 0.0;
  z.height[Ziggurat::layers] = 1.0;
  return z;
}

const Ziggurat table = build();

}  // namespace

const Ziggurat& Ziggurat::instance() noexcept { return table; }

}  // namespace phe::kernels
