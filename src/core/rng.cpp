#include "phe/rng.hpp"

#include <bit>

#include "support/archive.hpp"
#include "support/int128.hpp"

namespace phe {

Rng::Rng(StreamKey key) noexcept {
  SplitMix words(key);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (auto& row : state_) row[lane] = words();
}

void Rng::step(Step& words) noexcept {
  auto& [s0, s1, s2, s3] = state_;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    words[lane] = std::rotl(s0[lane] + s3[lane], 23) + s0[lane];
    const std::uint64_t t = s1[lane] << 17;
    s2[lane] ^= s0[lane];
    s3[lane] ^= s1[lane];
    s1[lane] ^= s2[lane];
    s0[lane] ^= s3[lane];
    s2[lane] ^= t;
    s3[lane] = std::rotl(s3[lane], 45);
  }
}

std::uint64_t Rng::below(std::uint64_t bound) noexcept {
  // Lemire 2019: the high half of word * bound, rejecting the few words that would favour some.
  uint128 product = uint128{(*this)()} * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = -bound % bound;
    while (static_cast<std::uint64_t>(product) < threshold) product = uint128{(*this)()} * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

void Rng::persist(Archive& archive) {
  for (Step& row : state_)
    for (std::uint64_t& word : row) archive(word);
  for (std::uint64_t& word : buffer_) archive(word);
  std::uint64_t used = used_;
  archive(used);
  archive.require(used <= lanes, "more words used than there are");
  used_ = archive.ok() ? static_cast<std::size_t>(used) : lanes;
}

}  // namespace phe
