// ArmWidths: |x_k|^2 in the norm of G^-1 for all arms, G = ridge I + sum x x^T over the pulls.
//
// A pull of x changes all of them by Sherman-Morrison, c_k^2 / (1 + c) with c_k = x_k^T G^-1 x: one
// pass over the arms, O(K d + d^2). Not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "phe/arms.hpp"
#include "phe/ridge.hpp"

namespace phe {

class ArmWidths {
 public:
  // Precondition: ridge > 0.
  ArmWidths(Arms arms, double ridge);

  void pulled(ArmId arm) noexcept;
  // Padded with zeros.
  [[nodiscard]] std::span<const double> squared() const noexcept { return squared_; }

 private:
  void refresh() noexcept;

  Arms arms_;
  RidgeModel gram_;
  std::uint64_t pulls_ = 0;
  std::uint64_t next_refresh_;
  std::vector<double> squared_;
  std::vector<double> products_;  // c_k
  std::vector<double> row_;
};

// L^2 = max_k |x_k|^2.
double largest_squared_norm(const Arms& arms) noexcept;

}  // namespace phe
