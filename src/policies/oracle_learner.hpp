// OracleLearner: perturbed-history exploration around an Oracle.
//
//   refit   take a picture of the history; `fits` models are due, each with pseudo-rewards of its
//           own
//   choose  one of these models at random, fitted when it is first asked for; its best action
//
// With refit = every(1) that is Algorithm 1: each choice has a model of its own. What the models
// were fitted to follows from the picture and a seed, so that a copy, or a policy restored from its
// state, fits the same models again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phe/oracle_phe.hpp"
#include "policies/learner.hpp"
#include "policies/oracle_history.hpp"

namespace phe {

// How the key `refit` is written: 1 for every choice, N after so many more rewards, xF when the
// history has grown by the factor F.
Result<Refit> parse_refit(std::string_view policy, std::string_view text);

class OracleLearner : public Learner {
 public:
  // Precondition: check() of the options is good.
  OracleLearner(const Arms& arms, std::string oracle, MakeOracle make,
                const OraclePheOptions& options);
  OracleLearner(const OracleLearner& other);
  OracleLearner(OracleLearner&&) noexcept = default;
  OracleLearner& operator=(const OracleLearner&) = delete;
  OracleLearner& operator=(OracleLearner&&) noexcept = default;
  ~OracleLearner() override = default;

  static Result<void> check(std::string_view policy, const OraclePheOptions& options);

  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  [[nodiscard]] bool keeps_rows() const noexcept override { return true; }
  void observe(const Observation& observation) override;
  ArmId choose(Offered& offered, Rng& rng) override;
  double score(std::span<const double> x, Rng& rng) override;
  [[nodiscard]] Result<void> fault() const override { return fault_; }
  void persist(Archive& archive) override;
  void merge(const Learner& other) override;

 private:
  [[nodiscard]] bool due() const noexcept;
  // A model drawn from those kept, fitted; null, and a fault, where it cannot be.
  Oracle* draw(Rng& rng);
  Result<void> fit(std::size_t number);
  // Scores of the actions, padded for best_arm. False, and a fault, where there are none.
  bool score_all(const Actions& actions, Rng& rng);

  std::string oracle_;
  MakeOracle make_;
  OraclePheOptions options_;
  Rows rows_;
  OracleHistory history_;
  std::vector<double> arms_;  // fixed ones, row by row
  std::uint64_t seed_ = 0;    // of the models kept
  std::vector<std::unique_ptr<Oracle>> models_;
  std::vector<bool> fitted_;
  std::vector<double> scores_;
  Result<void> fault_;
};

}  // namespace phe
