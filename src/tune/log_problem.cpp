#include "tune/log_problem.hpp"

#include <cmath>
#include <limits>

#include "support/error.hpp"

namespace phe::tune {

namespace {

constexpr double no_reward = std::numeric_limits<double>::quiet_NaN();

class LoggedArms final : public Instance {
 public:
  LoggedArms(Arms arms, const logs::LogShape& shape)
      : Instance(arms, std::vector<double>(arms.size(), 0.0), shape.rewards),
        binary_(shape.binary) {}

  [[nodiscard]] double reward(std::uint64_t /*round*/, ArmId /*arm*/) const noexcept override {
    return no_reward;
  }
  [[nodiscard]] bool binary_rewards() const noexcept override { return binary_; }

 private:
  bool binary_;
};

class LoggedContexts final : public ContextInstance {
 public:
  LoggedContexts(bool one_context, const logs::LogShape& shape)
      : ContextInstance(shape.dimension, one_context, shape.rewards), binary_(shape.binary) {}

  void offer(std::uint64_t /*round*/, ContextRound& offered) const override { offered = {}; }
  [[nodiscard]] double reward(std::uint64_t /*round*/, ArmId /*action*/,
                              double /*mean*/) const override {
    return no_reward;
  }
  [[nodiscard]] bool binary_rewards() const noexcept override { return binary_; }

 private:
  bool binary_;
};

class LogProblem final : public Problem {
 public:
  explicit LogProblem(logs::LogRounds rounds) : rounds_(std::move(rounds)) {}

  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey /*key*/) const override {
    const logs::LogShape& shape = rounds_.shape();
    const PolicyContext context = rounds_.context(0);
    if (shape.kind == logs::OfferKind::arms)
      return std::make_unique<const LoggedArms>(context.arms, shape);
    return std::make_unique<const LoggedContexts>(context.one_context, shape);
  }
  [[nodiscard]] std::size_t dimension() const noexcept override {
    return rounds_.shape().dimension;
  }
  [[nodiscard]] std::size_t arms() const noexcept override { return rounds_.shape().actions; }

 private:
  logs::LogRounds rounds_;
};

}  // namespace

ProblemEntry log_problem_entry(const std::string& identity, const logs::LogShape& shape) {
  return {"log",
          "decisions of a log",
          {{"identity", "", "what was read, and what is asked of it"}},
          [identity, shape](Parameters& p) -> Result<std::unique_ptr<const Problem>> {
            if (p.text("identity") != identity) return invalid("problem log: another log");
            auto rounds = logs::LogRounds::create(shape);
            if (!rounds) return rounds.error();
            return std::make_unique<const LogProblem>(std::move(rounds).value());
          }};
}

}  // namespace phe::tune
