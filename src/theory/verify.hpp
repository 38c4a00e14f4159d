// Monte-Carlo checks of what the proofs claim, on real states of a running LinPHE.
//
// The runs are LinPHE's own; from a few of their states theta-tilde is then drawn many times, and
// its deviations from theta-bar are compared with the lemmas. Lemma and theorem numbers are the
// paper's, which share one counter.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "phe/lin_phe.hpp"
#include "phe/problem.hpp"
#include "phe/rng.hpp"
#include "theory/bound.hpp"
#include "theory/checks.hpp"

namespace phe::theory {

// Draws theta-tilde of line 8 of Algorithm 1 once, given a history.
using Sampler = std::function<void(Rng&, std::span<double> theta)>;
using MakeSampler =
    std::function<Result<Sampler>(const Arms&, const LinPheOptions&, const History&)>;
// The sampler under test: LinPhe::fit.
Result<Sampler> lin_phe_sampler(const Arms& arms, const LinPheOptions& options,
                                const History& history);

struct VerifyOptions {
  std::uint64_t rounds = 1000;   // n
  std::uint64_t runs = 200;      // for what holds over whole runs: Lemmas 3 and 5
  std::uint64_t draws = 20'000;  // of theta-tilde in each state
  double confidence = 0.999;     // of the whole report
  double a = 1;                  // a whole number, as in the analysis
  double ridge = 1;              // lambda
  bool centred = false;
  // The report does not depend on these two.
  unsigned threads = 1;
  std::function<void(double seconds)> on_run = {};  // after each run, never on two threads at once
};

// P(x^T (theta-tilde - theta-bar) > c |x|_{G^-1}) for the best arm x in one state, for a figure.
struct TailPoint {
  std::uint64_t round = 0;
  double c = 0;      // in units of sqrt(a)
  double upper = 0;  // half of Lemma 6, by symmetry
  double lower = 0;  // Lemma 7, or 0 where it claims less
  Estimate measured;
};

struct VerifyReport {
  Constants constants;                // at the a and lambda in use
  double p3 = 0;                      // Lemma 7 at c = c1; at most 0 when it claims nothing
  std::vector<std::uint64_t> states;  // the rounds whose states were sampled
  std::vector<Check> checks;
  std::vector<TailPoint> tails;
};

// `seed` decides everything that is random.
Result<VerifyReport> verify(const Instance& instance, const VerifyOptions& options, StreamKey seed,
                            const MakeSampler& make_sampler = lin_phe_sampler);

}  // namespace phe::theory
