#include "phe/oracle_phe.hpp"

#include <fmt/format.h>

#include "policies/checks.hpp"
#include "policies/learner_policy.hpp"
#include "policies/oracle_learner.hpp"

namespace phe {

namespace {

constexpr std::string_view policy_name = "oraclephe";

// The learner around a user's oracle, known by the oracle's name.
class NamedOracleLearner final : public OracleLearner {
 public:
  NamedOracleLearner(const Arms& arms, const std::string& oracle, MakeOracle make,
                     const OraclePheOptions& options)
      : OracleLearner(arms, oracle, std::move(make), options),
        options_(options),
        name_(fmt::format("{}:{}", policy_name, oracle)) {}

  [[nodiscard]] std::unique_ptr<Learner> clone() const override {
    return std::make_unique<NamedOracleLearner>(*this);
  }
  [[nodiscard]] std::string_view name() const noexcept override { return name_; }
  void identify(Archive& archive) override {
    archive.same(options_.perturbation_scale, "a");
    archive.same(options_.centred, "centred");
    archive.same(options_.refit.rewards, "rewards before a refit");
    archive.same(options_.refit.growth, "growth before a refit");
    archive.same(options_.fits, "fits");
  }

 private:
  OraclePheOptions options_;
  std::string name_;
};

Result<std::unique_ptr<LearnerPolicy>> make_policy(Arms arms, const std::string& oracle,
                                                   MakeOracle make,
                                                   const OraclePheOptions& options) {
  if (arms.dimension() < 1)
    return invalid("{}: there must be at least 1 feature, got 0", policy_name);
  if (oracle.empty()) return invalid("{}: the oracle must have a name", policy_name);
  if (!make) return invalid("{}: oracle {}: there is nothing that makes one", policy_name, oracle);
  Start start = options.start;
  if (start == Start::automatic) start = arms.empty() ? Start::random : Start::basis;
  if (start == Start::basis && arms.empty())
    return invalid("{}: start=basis needs fixed arms", policy_name);
  if (start == Start::prior)
    return invalid("{}: start=prior: an oracle has no prior to perturb", policy_name);
  if (auto checked = OracleLearner::check(policy_name, options); !checked) return checked.error();
  auto learner = std::make_unique<NamedOracleLearner>(arms, oracle, std::move(make), options);
  return std::make_unique<LearnerPolicy>(std::move(arms), std::move(learner), start,
                                         options.rewards);
}

}  // namespace

Result<OraclePhe> OraclePhe::create(Arms arms, std::string oracle, MakeOracle make,
                                    const OraclePheOptions& options) {
  auto policy = make_policy(std::move(arms), oracle, std::move(make), options);
  if (!policy) return policy.error();
  return OraclePhe(std::move(policy).value());
}

Result<OraclePhe> OraclePhe::create(std::size_t dimension, std::string oracle, MakeOracle make,
                                    const OraclePheOptions& options) {
  return create(Arms::none(dimension), std::move(oracle), std::move(make), options);
}

}  // namespace phe
