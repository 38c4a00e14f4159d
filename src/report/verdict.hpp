// Verdicts on claims about means, from paired observations.
//
// Every claim of the paper's experiments says between which bounds the ratio of two means lies:
//
//   ours is better            mean(ours) / mean(theirs) < 1
//   ours is not better        1 < ..
//   ours is similar           0.8 < .. < 1.25
//   ours is competitive       .. < 1.25
//   ours takes half the time  .. < 0.5
//
// A bound r is tested on the differences ours_i - r * theirs_i of the instances i that both share:
// their t statistic against Student's distribution, one-sided at level 0.01.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace phe {

enum class Verdict { holds, does_not_hold, undecided };
std::string_view name_of(Verdict verdict) noexcept;

inline constexpr double test_level = 0.01;

// What is claimed of mean(ours) / mean(theirs), both positive.
struct RatioClaim {
  std::optional<double> above;
  std::optional<double> below;
};
inline constexpr double similar_ratio = 1.25;  // and its inverse 0.8, by convention
inline constexpr RatioClaim better{{}, 1.0};
inline constexpr RatioClaim not_better{1.0, {}};
inline constexpr RatioClaim similar{1.0 / similar_ratio, similar_ratio};
inline constexpr RatioClaim competitive{{}, similar_ratio};
inline constexpr RatioClaim half{{}, 0.5};

struct Judgement {
  Verdict verdict = Verdict::undecided;
  double ratio = 0.0;           // mean(ours) / mean(theirs)
  double difference = 0.0;      // mean(ours - theirs)
  double standard_error = 0.0;  // of the difference
  double t = 0.0;               // of the bound that decides: the one nearest to being crossed
};

// Holds when every bound is kept by a significant margin, does not hold when one is crossed by a
// significant margin. Precondition: as many of ours as of theirs, at least one; with one alone
// everything is undecided.
Judgement judge(const RatioClaim& claim, std::span<const double> ours,
                std::span<const double> theirs) noexcept;

// Holds when all do; does not hold when one does not.
Verdict all_of(std::span<const Verdict> verdicts) noexcept;
// Holds, or does not hold, when more than half do.
Verdict most_of(std::span<const Verdict> verdicts) noexcept;

// Beyond this |t| a difference over `instances` >= 2 instances is significant.
double critical_t(std::size_t instances) noexcept;

}  // namespace phe
