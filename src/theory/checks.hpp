// What a Monte-Carlo measurement says about a claim.
//
// A claim is compared in many places (states, directions). All comparisons of a report share one
// confidence: each gets an equal part of what may go wrong (Bonferroni), so a report in which every
// claim is true refutes none of them with at least that probability.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "theory/clopper_pearson.hpp"

namespace phe::theory {

enum class Sense { at_most, at_least, equal };

// A number with its uncertainty: counted, averaged, or exact.
struct Estimate {
  double value = 0;
  double standard_error = 0;    // of an average; 0 when exact
  std::uint64_t successes = 0;  // of a count
  std::uint64_t trials = 0;     // 0: not a count

  static Estimate exact(double value) { return {.value = value}; }
  static Estimate average(double value, double standard_error) { return {value, standard_error}; }
  static Estimate count(std::uint64_t successes, std::uint64_t trials);

  [[nodiscard]] bool is_exact() const noexcept { return trials == 0 && standard_error == 0; }
  [[nodiscard]] Interval interval(double confidence) const;
};

struct Comparison {
  Sense sense = Sense::at_most;
  double bound = 0;
  Estimate measured;
  std::string where;  // which state, which direction
};

// One line of a report: a claim, at the place where it comes closest to failing.
struct Check {
  std::string lemma;
  std::string claim;
  std::vector<Comparison> comparisons;  // none: the claim does not apply, and `note` says why
  std::string note;

  // Filled in by judge().
  std::size_t closest = 0;
  Interval interval{};  // of the closest comparison
  bool holds = true;    // no comparison is refuted
  bool shown = true;    // every interval lies on the right side of its bound, or holds the value

  [[nodiscard]] bool applies() const noexcept { return !comparisons.empty(); }
};

// Gives every check its verdict: a comparison is refuted when its whole interval lies on the wrong
// side of its bound.
void judge(std::vector<Check>& checks, double confidence);

bool all_hold(const std::vector<Check>& checks) noexcept;

}  // namespace phe::theory
