// How named features become a vector (docs/service.md): hashed, with signs, into D numbers.
//
//   phi(action) = sum over context features c, and the constant 1, and over the action's features
//   f,
//                 its id among them:  value(c) value(f) sign(c, f) e[place(c, f)]  +  e[0].
//
// A feature is named by its path ("user.age", value 31), a category by path and value
// ("user.city=Rome", value 1). The names' 64-bit FNV-1a hashes are all that is kept of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "phe/rng.hpp"

namespace phe::serve {

struct Feature {
  std::uint64_t name = 0;  // hash
  double value = 0.0;
};

// FNV-1a, which a name can be fed to in parts.
class NameHash {
 public:
  [[nodiscard]] constexpr NameHash with(std::string_view part) const noexcept {
    NameHash next = *this;
    for (const char c : part)
      next.hash_ = (next.hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return next;
  }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

// Where a pair of features goes. The name 0 stands for "no feature": the action's feature alone.
struct Slot {
  std::size_t place;
  double sign;
};

// What of a pair depends on the context's feature alone, so that it is computed once per request.
constexpr std::uint64_t context_part(std::uint64_t context) noexcept {
  return mix64(context + StreamKey::golden_ratio);
}

constexpr Slot slot_of_part(std::uint64_t part, std::uint64_t action,
                            std::size_t dimension) noexcept {
  const std::uint64_t h = mix64(part ^ action);
  // The sign bit is the hash's own: a coin that no branch predictor could foretell.
  const double sign = std::bit_cast<double>(std::bit_cast<std::uint64_t>(1.0) | (h >> 63 << 63));
  return {static_cast<std::size_t>(((h & 0xffffffffULL) * dimension) >> 32), sign};
}

constexpr Slot slot_of(std::uint64_t context, std::uint64_t action,
                       std::size_t dimension) noexcept {
  return slot_of_part(context_part(context), action, dimension);
}

// The vector of one action, into `row` of D entries. The constant shares e[0] with whatever
// is hashed there. `context` has the context_part of each name in place of the name.
void hash_action(std::span<const Feature> context, std::span<const Feature> action,
                 std::span<double> row) noexcept;

}  // namespace phe::serve
