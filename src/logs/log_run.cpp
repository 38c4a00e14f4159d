#include "logs/log_run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::logs {

namespace {

// One round after the other, whatever kind of bandit it is.
class Rounds {
 public:
  Rounds(const Instance& bandit, Policy& policy)
      : bandit_(bandit),
        contexts_(dynamic_cast<const ContextInstance*>(&bandit)),
        policy_(policy) {}

  Result<void> decide(std::uint64_t round, Rng& rng, const DecideOptions& options) {
    if (contexts_ == nullptr) return policy_.decide(rng, options, decision_);
    contexts_->offer(round, offered_);
    const std::size_t count = offered_.means.size();
    return policy_.decide(contexts_->one_context() ? Actions::context(offered_.features, count)
                                                   : Actions::rows(count, offered_.features),
                          rng, options, decision_);
  }

  [[nodiscard]] double reward(std::uint64_t round) const {
    if (contexts_ == nullptr) return bandit_.reward(round, arm());
    return contexts_->reward(round, arm(), offered_.means[arm()]);
  }
  [[nodiscard]] double gap() const {
    if (contexts_ == nullptr) return bandit_.gap(arm());
    return *std::ranges::max_element(offered_.means) - offered_.means[arm()];
  }
  Result<void> update(double reward) {
    if (contexts_ == nullptr) return policy_.update(arm(), reward);
    if (contexts_->one_context()) return policy_.update(ActionId{arm()}, offered_.features, reward);
    const std::size_t d = bandit_.arms().dimension();
    return policy_.update(std::span(offered_.features).subspan(arm() * d, d), reward);
  }

  [[nodiscard]] const Decision& decision() const { return decision_; }
  [[nodiscard]] OfferedFeatures features() const {
    if (contexts_ == nullptr) return {};
    return {offered_.features, contexts_->one_context()};
  }

 private:
  [[nodiscard]] ArmId arm() const { return static_cast<ArmId>(decision_.action); }

  const Instance& bandit_;
  const ContextInstance* contexts_;
  Policy& policy_;
  ContextRound offered_;
  Decision decision_;
};

}  // namespace

Result<LoggedRun> log_run(const Plan& plan, RunId id, const DecideOptions& options,
                          LogWriter& writer) {
  const Experiment& experiment = plan.experiment();
  const PolicySpec& spec = plan.policies()[id.policy];
  const auto drawn = plan.instance(id.problem, id.instance);
  if (!drawn) return drawn.error();
  auto policy = spec.make(PolicyContext::of(*drawn.value(), experiment.rounds));
  if (!policy) return policy.error();
  Rng rng(plan.problems()[id.problem]
              .instance_key(experiment.seed, id.instance)
              .with(Stream::policy)
              .with(spec.parameters.canonical()));
  Rounds rounds(*drawn.value(), *policy.value());
  LoggedRun run;
  for (std::uint64_t round = 0; round < experiment.rounds; ++round) {
    if (auto done = rounds.decide(round, rng, options); !done) return done.error();
    const double reward = rounds.reward(round);
    run.reward += reward;
    run.regret += rounds.gap();
    run.capped += rounds.decision().capped ? 1 : 0;
    if (auto done = writer.write(fmt::format("{}-{}", id.instance, round), rounds.decision(),
                                 reward, options.resample > 0, rounds.features());
        !done)
      return done.error();
    if (auto done = rounds.update(reward); !done) return done.error();
  }
  return run;
}

Result<DecideOptions> parse_decide(std::string_view text) {
  DecideOptions options;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view pair = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view key = pair.substr(0, equals);
    const std::string_view value = pair.substr(std::min(equals + 1, pair.size()));
    const auto count = parse_number<std::uint64_t>(value);
    const auto real = parse_number<double>(value);
    if (key == "draws" && count && *count > 0)
      options.draws = *count;
    else if (key == "floor" && real && *real >= 0 && *real <= 1)
      options.floor = *real;
    else if (key == "resample" && count && *count > 0)
      options.resample = *count;
    else
      return invalid(
          "--decide must be of draws=N (1 or more), floor=X (0 to 1), resample=N (1 or more), got "
          "'{}'",
          pair);
  }
  return options;
}

}  // namespace phe::logs
