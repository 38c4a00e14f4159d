#include "report/claims.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace phe {

namespace {

constexpr std::array<std::size_t, 3> dimensions = {5, 10, 20};

std::vector<Comparison> at_all_scales(const std::string& ours, const RatioClaim& claim,
                                      const std::string& theirs) {
  std::vector<Comparison> comparisons;
  for (const char* const a : {"2", "1", "0.5"})
    comparisons.push_back({ours + ":a=" + a, claim, theirs});
  return comparisons;
}

Claim against_eps_greedy(std::size_t d) {
  Claim claim{.number = "2", .text = {}, .experiment = "linear", .dimension = d, .comparisons = {}};
  claim.comparisons = at_all_scales("linphe", better, "lineps");
  claim.text = "LinPHE outperforms ε-greedy at every a";
  if (d == 20) {
    claim.text = "LinPHE outperforms ε-greedy only at a ≤ 1";
    claim.comparisons.front().claim = not_better;
  }
  return claim;
}

Claim against_optimism(std::size_t d) {
  Claim claim{.number = "5a",
              .text = "LogPHE usually outperforms GLM-UCB and UCB-GLM",
              .experiment = "logistic",
              .dimension = d,
              .comparisons = at_all_scales("logphe", better, "glmucb"),
              .needs = Claim::Needs::most};
  for (auto& comparison : at_all_scales("logphe", better, "ucbglm"))
    claim.comparisons.push_back(std::move(comparison));
  return claim;
}

std::vector<Claim> claims_at(std::size_t d) {
  return {{.number = "1",
           .text = "LinPHE outperforms LinUCB at every a",
           .experiment = "linear",
           .dimension = d,
           .comparisons = at_all_scales("linphe", better, "linucb")},
          against_eps_greedy(d),
          {.number = "3a",
           .text = "LinPHE at a = 1 is similar to LinTS",
           .experiment = "linear",
           .dimension = d,
           .comparisons = {{"linphe:a=1", similar, "lints"}}},
          {.number = "3b",
           .text = "LinPHE at a = 0.5 outperforms LinTS",
           .experiment = "linear",
           .dimension = d,
           .comparisons = {{"linphe:a=0.5", better, "lints"}}},
          {.number = "4",
           .text = "LinPHE takes less than half of LinTS's run time",
           .experiment = "linear",
           .dimension = d,
           .comparisons = at_all_scales("linphe", half, "lints"),
           .measure = Claim::Measure::ns_per_round},
          against_optimism(d),
          {.number = "5b",
           .text = "LogPHE is competitive with LogTS at a ≤ 1",
           .experiment = "logistic",
           .dimension = d,
           .comparisons = {{"logphe:a=1", competitive, "logts"},
                           {"logphe:a=0.5", competitive, "logts"}}}};
}

// What a claim needs of one experiment: where its problem is, and each policy's observations.
class Observations {
 public:
  Observations(const Plan& plan, const Runs& runs) : plan_(plan), runs_(runs) {}

  [[nodiscard]] std::optional<std::size_t> problem(std::size_t dimension) const {
    return position(plan_.problems(),
                    [&](const auto& p) { return p.problem->dimension() == dimension; });
  }
  // Nothing when the plan has no such policy.
  [[nodiscard]] std::optional<std::vector<double>> of(std::size_t problem,
                                                      const std::string& policy,
                                                      Claim::Measure measure) const {
    const auto at =
        position(plan_.policies(), [&](const auto& spec) { return spec.text == policy; });
    if (!at) return std::nullopt;
    return observations(plan_, runs_, problem, *at, measure);
  }

 private:
  template <class List, class Test>
  static std::optional<std::size_t> position(const List& list, Test test) {
    const auto found = std::ranges::find_if(list, test);
    if (found == list.end()) return std::nullopt;
    return static_cast<std::size_t>(found - list.begin());
  }

  const Plan& plan_;
  const Runs& runs_;
};

std::optional<ClaimVerdict> judge_claim(const Claim& claim, const Observations& observations) {
  const auto problem = observations.problem(claim.dimension);
  if (!problem) return std::nullopt;
  ClaimVerdict outcome{.claim = claim, .judgements = {}};
  std::vector<Verdict> verdicts;
  for (const Comparison& comparison : claim.comparisons) {
    const auto ours = observations.of(*problem, comparison.ours, claim.measure);
    const auto theirs = observations.of(*problem, comparison.theirs, claim.measure);
    if (!ours || !theirs) return std::nullopt;
    outcome.judgements.push_back(judge(comparison.claim, *ours, *theirs));
    verdicts.push_back(outcome.judgements.back().verdict);
  }
  outcome.verdict = claim.needs == Claim::Needs::all ? all_of(verdicts) : most_of(verdicts);
  return outcome;
}

}  // namespace

std::vector<Claim> paper_claims() {
  std::vector<Claim> claims;
  for (const std::size_t d : dimensions)
    for (Claim& claim : claims_at(d)) claims.push_back(std::move(claim));
  std::ranges::stable_sort(claims, {}, &Claim::number);
  return claims;
}

std::vector<ClaimVerdict> judge_claims(const std::vector<Claim>& claims,
                                       const std::string& experiment, const Plan& plan,
                                       const Runs& runs) {
  const Observations observations(plan, runs);
  std::vector<ClaimVerdict> verdicts;
  for (const Claim& claim : claims)
    if (claim.experiment == experiment)
      if (auto outcome = judge_claim(claim, observations)) verdicts.push_back(std::move(*outcome));
  return verdicts;
}

}  // namespace phe
