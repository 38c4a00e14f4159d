// The claims of the paper's Experiments section, as data, and what the runs say about them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"
#include "report/observations.hpp"
#include "report/verdict.hpp"

namespace phe {

// One comparison of two policies, named as in the experiment.
struct Comparison {
  std::string ours;
  RatioClaim claim;
  std::string theirs;
};

struct Claim {
  using Measure = phe::Measure;
  enum class Needs { all, most };

  std::string number;
  std::string text;
  std::string experiment;  // "linear" or "logistic"
  std::size_t dimension = 0;
  std::vector<Comparison> comparisons;
  Needs needs = Needs::all;
  Measure measure = Measure::final_regret;
};

struct ClaimVerdict {
  Claim claim;
  Verdict verdict = Verdict::undecided;
  std::vector<Judgement> judgements;  // one a comparison
};

// By number, then dimension.
std::vector<Claim> paper_claims();

// The claims about `experiment` whose problem and policies the plan has. Precondition: every run of
// the plan is in `runs`.
std::vector<ClaimVerdict> judge_claims(const std::vector<Claim>& claims,
                                       const std::string& experiment, const Plan& plan,
                                       const Runs& runs);

}  // namespace phe
