#include "report/verdict.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "phe/simulate.hpp"
#include "report/student_t.hpp"

namespace phe {

namespace {

MeanAndError difference(std::span<const double> ours, double ratio,
                        std::span<const double> theirs) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < ours.size(); ++i) differences.push_back(ours[i] - ratio * theirs[i]);
  return mean_and_error(differences);
}

// The t statistic; infinite when all differences are the same and not 0.
double t_of(const MeanAndError& d) {
  if (d.mean == 0.0) return 0.0;
  if (d.standard_error > 0.0) return d.mean / d.standard_error;
  return std::copysign(std::numeric_limits<double>::infinity(), d.mean);
}

double mean_of(std::span<const double> values) {
  return mean_and_error({values.begin(), values.end()}).mean;
}

}  // namespace

std::string_view name_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::does_not_hold:
      return "does not hold";
    case Verdict::undecided:
      break;
  }
  return "undecided";
}

double critical_t(std::size_t instances) noexcept {
  assert(instances >= 2);
  return student_t_quantile(1.0 - test_level, static_cast<double>(instances - 1));
}

Judgement judge(const RatioClaim& claim, std::span<const double> ours,
                std::span<const double> theirs) noexcept {
  assert(ours.size() == theirs.size() && !ours.empty());
  const auto [mean, error] = difference(ours, 1.0, theirs);
  Judgement judgement{
      .ratio = mean_of(ours) / mean_of(theirs), .difference = mean, .standard_error = error};
  if (ours.size() < 2) return judgement;
  // The statistic of each bound, signed so that a large one speaks against the claim.
  double against = -std::numeric_limits<double>::infinity();
  const auto look_at = [&](double bound, double sign) {
    const double t = t_of(difference(ours, bound, theirs));
    if (sign * t < against) return;
    against = sign * t;
    judgement.t = t;
  };
  if (claim.above) look_at(*claim.above, -1.0);
  if (claim.below) look_at(*claim.below, 1.0);
  const double critical = critical_t(ours.size());
  if (against < -critical) judgement.verdict = Verdict::holds;
  if (against > critical) judgement.verdict = Verdict::does_not_hold;
  return judgement;
}

Verdict all_of(std::span<const Verdict> verdicts) noexcept {
  if (std::ranges::count(verdicts, Verdict::does_not_hold) > 0) return Verdict::does_not_hold;
  return std::ranges::count(verdicts, Verdict::undecided) > 0 ? Verdict::undecided : Verdict::holds;
}

Verdict most_of(std::span<const Verdict> verdicts) noexcept {
  for (const Verdict verdict : {Verdict::holds, Verdict::does_not_hold})
    if (2 * std::ranges::count(verdicts, verdict) > std::ssize(verdicts)) return verdict;
  return Verdict::undecided;
}

}  // namespace phe
