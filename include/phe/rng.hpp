// Randomness, always an argument, always derived from what it is for.
//
// A StreamKey is a path: seed, problem, instance, purpose, policy. Keys that differ in any step
// give independent streams; nothing depends on a thread, a process or a clock.
//
// Rng is xoshiro256++ (Blackman & Vigna 2019) in 8 lanes side by side. Word w of the stream is lane
// w mod 8 of step w / 8, so a SIMD kernel of any width reads the same words as the scalar code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace phe {

class Archive;

// The finaliser of MurmurHash3 with Stafford's constants (variant 13): a bijection of 64-bit words.
constexpr std::uint64_t mix64(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

enum class Stream : std::uint64_t { instance = 1, reward = 2, policy = 3, test = 4, context = 5 };

class StreamKey {
 public:
  constexpr explicit StreamKey(std::uint64_t seed) noexcept : key_(mix64(seed + golden_ratio)) {}

  // For one key, different steps always give different keys (a bijection of `step`).
  [[nodiscard]] constexpr StreamKey with(std::uint64_t step) const noexcept {
    StreamKey next = *this;
    next.key_ = mix64(mix64(step + golden_ratio) + key_ * 0xd1342543de82ef95ULL);
    return next;
  }
  [[nodiscard]] constexpr StreamKey with(Stream purpose) const noexcept {
    return with(static_cast<std::uint64_t>(purpose));
  }
  [[nodiscard]] constexpr StreamKey with(std::string_view name) const noexcept {
    StreamKey next = with(std::uint64_t{name.size()});
    for (const char c : name) next = next.with(std::uint64_t{static_cast<unsigned char>(c)});
    return next;
  }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return key_; }

  static constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15ULL;

 private:
  std::uint64_t key_;
};

// 53 random bits as a double in [0, 1).
constexpr double to_unit(std::uint64_t word) noexcept {
  return static_cast<double>(word >> 11) * 0x1p-53;
}

// SplitMix64: a few words from a key, where setting up an Rng would cost more than its use.
class SplitMix {
 public:
  using result_type = std::uint64_t;
  constexpr explicit SplitMix(StreamKey key) noexcept : state_(key.value()) {}
  constexpr std::uint64_t operator()() noexcept { return mix64(state_ += StreamKey::golden_ratio); }
  static constexpr std::uint64_t min() noexcept { return 0; }
  static constexpr std::uint64_t max() noexcept {
    return std::numeric_limits<std::uint64_t>::max();
  }

 private:
  std::uint64_t state_;
};

class Rng {
 public:
  using result_type = std::uint64_t;
  static constexpr std::size_t lanes = 8;
  using Step = std::array<std::uint64_t, lanes>;
  using State = std::array<Step, 4>;

  explicit Rng(StreamKey key) noexcept;
  explicit Rng(std::uint64_t seed) noexcept : Rng(StreamKey(seed)) {}

  std::uint64_t operator()() noexcept {
    if (used_ == lanes) {
      step(buffer_);
      used_ = 0;
    }
    return buffer_[used_++];
  }
  static constexpr std::uint64_t min() noexcept { return 0; }
  static constexpr std::uint64_t max() noexcept {
    return std::numeric_limits<std::uint64_t>::max();
  }

  // Uniform on {0, .., bound - 1}, exactly. Precondition: bound >= 1.
  std::uint64_t below(std::uint64_t bound) noexcept;

  // The next whole step of 8 words; words already buffered stay for operator().
  void step(Step& words) noexcept;
  // For kernels that hold the state in registers while they draw whole steps.
  [[nodiscard]] State& state() noexcept { return state_; }

  // Where the stream is, so that it can go on later from there.
  void persist(Archive& archive);

 private:
  alignas(64) State state_;
  alignas(64) Step buffer_{};
  std::size_t used_ = lanes;
};

}  // namespace phe
