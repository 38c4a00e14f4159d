#include <algorithm>
#include <array>
#include <cstring>
#include <random>

#include <Eigen/Dense>

#include "comparators/comparators.hpp"

namespace phe::bench {

namespace {

constexpr std::size_t chunk = 2048;  // rows whose flips are held at one time: 256 KB
using Flips = Eigen::Matrix<double, eigen_flip_rounds, Eigen::Dynamic>;

// The 8 flips of a byte as doubles.
using ByteFlips = std::array<std::array<double, 8>, 256>;
constexpr ByteFlips flips_of_bytes() {
  ByteFlips flips{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (std::size_t bit = 0; bit < 8; ++bit)
      flips[byte][bit] = static_cast<double>(byte >> bit & 1);
  return flips;
}

void flip(std::mt19937_64& engine, Flips& flips) {
  static constexpr ByteFlips of_byte = flips_of_bytes();
  double* to = flips.data();
  for (const double* end = to + flips.size(); to != end;) {
    std::uint64_t word = engine();
    for (std::size_t byte = 0; byte < 8; ++byte, word >>= 8, to += 8)
      std::memcpy(to, of_byte[word & 255].data(), sizeof of_byte[0]);
  }
}

}  // namespace

void eigen_flip_sums(std::span<const double> x, std::size_t dimension, std::span<double> sums) {
  static std::mt19937_64 engine{1};
  static Flips flips(eigen_flip_rounds, chunk);
  const auto d = static_cast<Eigen::Index>(dimension);
  const auto count = static_cast<Eigen::Index>(x.size() / dimension);
  const Eigen::Map<const Eigen::MatrixXd> rows(x.data(), count, d);
  Eigen::Map<Eigen::MatrixXd> all(sums.data(), eigen_flip_rounds, d);
  all.setZero();
  for (Eigen::Index l = 0; l < count; l += chunk) {
    const Eigen::Index own = std::min<Eigen::Index>(chunk, count - l);
    flip(engine, flips);
    all.noalias() += flips.leftCols(own) * rows.middleRows(l, own);
  }
}

}  // namespace phe::bench
