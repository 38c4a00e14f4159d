// Logs that the program writes: read back they say what happened, a policy learns from them what it
// learnt then, and is evaluated on them.
#include "logs/log_run.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "logs/evaluate.hpp"
#include "logs/learnt_policy.hpp"
#include "logs/policy_target.hpp"
#include "logs/replay.hpp"
#include "support/temporary_folder.hpp"

namespace phe::logs {
namespace {

using testing::HasSubstr;

const Registry& registry() {
  static const Registry built_in = Registry::built_in();
  return built_in;
}

// What happened in a round, by playing it again.
struct Happened {
  phe::Decision decision;
  double reward;
  std::vector<double> features;
};

class LogRun : public testing::Test {
 protected:
  static constexpr std::uint64_t rounds = 120;

  [[nodiscard]] std::string path(std::string_view name) const { return (folder_ / name).string(); }
  static Plan plan(const std::string& problem, const std::string& policy) {
    return Plan::create(
               {.problems = {problem}, .policies = {policy}, .rounds = rounds, .instances = 1},
               registry())
        .value();
  }
  Log write(const Plan& plan, const std::string& name, const DecideOptions& options = {}) const {
    auto writer = LogWriter::create(path(name)).value();
    const auto run = log_run(plan, {}, options, writer);
    EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error().message);
    EXPECT_TRUE(writer.finish().ok());
    Log log{{path(name)}, {}};
    want_offers(log);
    return log;
  }
  // The same run, and the policy as it is after it.
  static std::vector<Happened> play(const Plan& plan, const DecideOptions& options,
                                    std::unique_ptr<Policy>& policy) {
    const auto instance = plan.instance(0, 0).value();
    const auto* contexts = dynamic_cast<const ContextInstance*>(instance.get());
    const auto& spec = plan.policies()[0];
    policy = spec.make(PolicyContext::of(*instance, rounds)).value();
    Rng rng(plan.problems()[0]
                .instance_key(1, 0)
                .with(Stream::policy)
                .with(spec.parameters.canonical()));
    std::vector<Happened> all;
    ContextRound offered;
    for (std::uint64_t t = 0; t < rounds; ++t) {
      Happened now;
      if (contexts == nullptr) {
        EXPECT_TRUE(policy->decide(rng, options, now.decision).ok());
        const auto arm = static_cast<ArmId>(now.decision.action);
        now.reward = instance->reward(t, arm);
        EXPECT_TRUE(policy->update(arm, now.reward).ok());
      } else {
        contexts->offer(t, offered);
        now.features = offered.features;
        const std::size_t count = offered.means.size();
        const auto actions = contexts->one_context() ? Actions::context(now.features, count)
                                                     : Actions::rows(count, now.features);
        EXPECT_TRUE(policy->decide(actions, rng, options, now.decision).ok());
        const auto arm = static_cast<ArmId>(now.decision.action);
        now.reward = contexts->reward(t, arm, offered.means[arm]);
        const std::size_t d = instance->arms().dimension();
        EXPECT_TRUE((contexts->one_context()
                         ? policy->update(ActionId{arm}, now.features, now.reward)
                         : policy->update(std::span(now.features).subspan(arm * d, d), now.reward))
                        .ok());
      }
      all.push_back(now);
    }
    return all;
  }

  test::TemporaryFolder folder_;
};

TEST_F(LogRun, EveryFormatSaysWhatHappened) {
  for (const std::string problem :
       {"linear:d=3,arms=5", "linear:d=3,arms=5,contexts", "disjoint:d=3,arms=4"}) {
    const std::string policy = problem.starts_with("disjoint") ? "linphe:disjoint" : "linphe";
    const Plan experiment = plan(problem, policy);
    const DecideOptions options{.floor = 0.1};
    std::unique_ptr<Policy> after;
    const auto happened = play(experiment, options, after);
    for (const std::string name : {"log.jsonl", "log.jsonl.gz", "log.dsjson"}) {
      const Log log = write(experiment, name, options);
      std::size_t t = 0;
      const auto lines = read_log(log, [&](const Decision& row) -> Result<void> {
        const Happened& now = happened[t++];
        EXPECT_EQ(row.action, now.decision.action);
        EXPECT_EQ(row.reward, now.reward);
        EXPECT_EQ(row.propensity, now.decision.probabilities[row.action]);
        EXPECT_TRUE(std::ranges::equal(row.probabilities, now.decision.probabilities));
        const bool has_numbers = !name.ends_with("dsjson") && !now.features.empty();
        const auto numbers = problem.starts_with("disjoint") ? row.context : row.action_features;
        EXPECT_TRUE(!has_numbers || std::ranges::equal(numbers, now.features));
        return {};
      });
      ASSERT_TRUE(lines.ok()) << lines.error().message;
      EXPECT_EQ(lines->decisions, rounds);
      EXPECT_FALSE(std::filesystem::exists(path(name + ".part")));
    }
  }
}

TEST_F(LogRun, ResamplingIsLoggedAsInversePropensityWithItsCaps) {
  const Plan experiment = plan("linear:d=3,arms=5", "linphe");
  const DecideOptions options{.draws = 1, .resample = 3};
  std::unique_ptr<Policy> after;
  const auto happened = play(experiment, options, after);
  std::size_t t = 0;
  std::size_t capped = 0;
  const auto lines =
      read_log(write(experiment, "log.jsonl", options), [&](const Decision& row) -> Result<void> {
        const Happened& now = happened[t++];
        EXPECT_DOUBLE_EQ(1.0 / row.propensity, now.decision.inverse_propensity);
        EXPECT_EQ(row.capped, now.decision.capped);
        EXPECT_EQ(row.actions, 5U);
        capped += row.capped ? 1 : 0;
        return {};
      });
  ASSERT_TRUE(lines.ok());
  EXPECT_GT(capped, 0U);
  const Log log = write(experiment, "log.jsonl", options);
  const auto evaluation = evaluate(log, *make_uniform_target(5), {});
  ASSERT_TRUE(evaluation.ok());
  EXPECT_THAT(evaluation->warnings, testing::Contains(HasSubstr("resampling stopped at its cap")));
  auto writer = LogWriter::create(path("log.dsjson")).value();
  EXPECT_THAT(log_run(experiment, {}, options, writer).error().message,
              HasSubstr("dsjson has no place"));
}

TEST_F(LogRun, AWriterThatIsNotFinishedLeavesNothing) {
  { auto writer = LogWriter::create(path("log.jsonl")).value(); }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  EXPECT_FALSE(LogWriter::create(path("log.csv")).ok());
  EXPECT_FALSE(LogWriter::create(path("none/log.jsonl")).ok());
}

TEST_F(LogRun, DecideOptionsAreReadOrRefused) {
  const auto options = parse_decide("draws=4,floor=0.25");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->draws, 4U);
  EXPECT_EQ(options->floor, 0.25);
  EXPECT_EQ(parse_decide("resample=7")->resample, 7U);
  for (const char* const bad : {"draws=0", "draws", "floor=2", "floor=nan", "resample=-1", "x=1"})
    EXPECT_THAT(parse_decide(bad).error().message, HasSubstr("--decide must be of")) << bad;
}

// The reference: what the policy knew after the run that wrote the log.
TEST_F(LogRun, LearningALogIsLearningWhatHappened) {
  for (const auto& [problem, policy] : std::vector<std::pair<std::string, std::string>>{
           {"linear:d=3,arms=5,contexts", "linucb:width=1"},
           {"linear:d=3,arms=5,contexts", "greedy"},
           {"disjoint:d=3,arms=4", "linucb:width=1,disjoint"}}) {
    const Plan experiment = plan(problem, policy);
    std::unique_ptr<Policy> after;
    play(experiment, {}, after);
    const Log log = write(experiment, "log.jsonl");
    auto learner = LearntPolicy::make(policy, rounds, survey(log, "", {}).value());
    ASSERT_TRUE(learner.ok()) << learner.error().message;
    const auto learnt = learn(log, learner.value(), {});
    ASSERT_TRUE(learnt.ok()) << learnt.error().message;
    EXPECT_EQ(learnt->lines.decisions, rounds);
    // The same probabilities on every row, those of UCBs and of greedy being exact.
    LogRounds offers = LogRounds::create(survey(log, "", {}).value()).value();
    Rng rng(1);
    phe::Decision ours;
    phe::Decision theirs;
    ASSERT_TRUE(read_log(log, [&](const Decision& row) -> Result<void> {
                  if (auto done = offers.decide(*learner->policy, row, rng, {}, ours); !done)
                    return done;
                  if (auto done = offers.decide(*after, row, rng, {}, theirs); !done) return done;
                  EXPECT_EQ(ours.probabilities, theirs.probabilities);
                  return {};
                }).ok());
    // Saved and loaded, it is the same.
    ASSERT_TRUE(learner->save(path("warm.state")).ok());
    const auto loaded = LearntPolicy::load(path("warm.state"));
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(loaded->policy->save().value(), learner->policy->save().value());
    // And anywhere, as a key.
    const auto spec = registry().policy(policy + ",state=" + path("warm.state"));
    const auto colon = registry().policy(policy + ":state=" + path("warm.state"));
    const auto& asked = spec.ok() ? spec : colon;
    ASSERT_TRUE(asked.ok());
    const auto made = asked->make(offers.context(rounds));
    ASSERT_TRUE(made.ok()) << made.error().message;
    EXPECT_EQ(made.value()->save().value(), learner->policy->save().value());
  }
}

// Two rows of weight 2 are four rows of weight 1.
TEST_F(LogRun, WeightsAreInversePropensitiesCutAtTheirCap) {
  test::put(folder_ / "log.jsonl",
            R"({"action":0,"reward":1,"propensity":0.5,"actions":2,"context":[1,2]}
{"action":1,"reward":0.25,"propensity":0.1,"actions":2,"context":[2,-1]}
)");
  test::put(folder_ / "copies.jsonl",
            R"({"action":0,"reward":1,"propensity":1,"actions":2,"context":[1,2]}
{"action":0,"reward":1,"propensity":1,"actions":2,"context":[1,2]}
{"action":1,"reward":0.25,"propensity":1,"actions":2,"context":[2,-1]}
{"action":1,"reward":0.25,"propensity":1,"actions":2,"context":[2,-1]}
{"action":1,"reward":0.25,"propensity":1,"actions":2,"context":[2,-1]}
)");
  const auto learnt_from = [&](const std::string& name, std::optional<double> cap,
                               const std::string& policy) -> Result<LearntPolicy> {
    Log log{{path(name)}, {}};
    want_offers(log);
    auto learner = LearntPolicy::make(policy, 10, survey(log, "", {}).value());
    auto done = learn(log, learner.value(), {cap});
    if (!done) return done.error();
    EXPECT_EQ(done->cut, cap ? 1U : 0U);
    EXPECT_EQ(done->weight, 5.0);
    return learner;
  };
  auto weighed = learnt_from("log.jsonl", 3.0, "linucb:width=1,disjoint").value();
  auto copies = learnt_from("copies.jsonl", std::nullopt, "linucb:width=1,disjoint").value();
  // Both see the same upper bounds, so the same ties and the same choices everywhere.
  Rng rng(3);
  phe::Decision ours;
  phe::Decision theirs;
  for (int i = 0; i < 200; ++i) {
    const std::vector<double> context{to_unit(rng()) - 0.5, to_unit(rng()) - 0.5};
    const auto offer = Actions::context(context, 2);
    ASSERT_TRUE(weighed.policy->decide(offer, rng, {}, ours).ok());
    ASSERT_TRUE(copies.policy->decide(offer, rng, {}, theirs).ok());
    EXPECT_EQ(ours.probabilities, theirs.probabilities);
  }
  EXPECT_THAT(learnt_from("log.jsonl", 3.0, "lingiro:disjoint").error().message,
              HasSubstr("cannot be weighed"));
}

TEST_F(LogRun, AStateWithoutItsDescriptionOrWithABrokenOneIsRefused) {
  test::put(folder_ / "a.state", "phe-state 2\n");
  EXPECT_THAT(LearntPolicy::load(path("a.state")).error().message, HasSubstr("a.state.json"));
  for (const char* const text :
       {"", "[]", "{}", R"({"policy":"greedy","rounds":1,"log":{}})",
        R"({"policy":"greedy","rounds":-1,"log":{}})", R"({"policy":1,"rounds":1,"log":{}})"}) {
    test::put(folder_ / "a.state.json", text);
    EXPECT_FALSE(LearntPolicy::load(path("a.state")).ok()) << text;
  }
}

TEST_F(LogRun, ASavedPolicyIsATargetWithItsOwnProbabilities) {
  const Plan experiment = plan("disjoint:d=3,arms=4", "uniform");
  const Log log = write(experiment, "log.jsonl");
  const std::string spec = "lineps:epsilon=0.4,schedule=constant,disjoint";
  const auto learnt = [&] {
    auto learner = LearntPolicy::make(spec, rounds, survey(log, "", {}).value()).value();
    EXPECT_TRUE(learn(log, learner, {}).ok());
    return learner;
  };
  auto by_hand = learnt();
  double ips = 0.0;
  Rng rng(5);
  phe::Decision decision;
  ASSERT_TRUE(read_log(log, [&](const Decision& row) -> Result<void> {
                if (auto done = by_hand.log_rounds.decide(*by_hand.policy, row, rng, {}, decision);
                    !done)
                  return done;
                ips += decision.probabilities[row.action] / row.propensity * row.reward / rounds;
                return {};
              }).ok());
  const auto target = make_policy_target(learnt(), 10, 1);
  const auto evaluation = evaluate(log, *target, {});
  ASSERT_TRUE(evaluation.ok()) << evaluation.error().message;
  EXPECT_EQ(evaluation->whole.estimates[0].estimator, "ips");
  EXPECT_NEAR(evaluation->whole.estimates[0].value, ips, 1e-12);
}

// The literal replay, with the same random numbers.
TEST_F(LogRun, ReplayOfAUniformLogIsTheLiteralOne) {
  const Plan experiment = plan("disjoint:d=3,arms=4", "uniform");
  const Log log = write(experiment, "log.jsonl");
  const std::string spec = "linucb:width=1,disjoint";
  auto learner = LearntPolicy::make(spec, rounds, survey(log, "", {}).value()).value();
  auto twin = LearntPolicy::make(spec, rounds, survey(log, "", {}).value()).value();
  const auto done = replay(log, learner, {.confidence = 0.95, .seed = 9, .largest_weight = {}});
  ASSERT_TRUE(done.ok()) << done.error().message;
  Rng rng(StreamKey(9).with(Stream::policy).with("replay"));
  std::uint64_t accepted = 0;
  double sum = 0.0;
  ASSERT_TRUE(read_log(log, [&](const Decision& row) -> Result<void> {
                const std::vector<double> context(row.context.begin(), row.context.end());
                const auto choice =
                    twin.policy->select(Actions::context(context, row.actions), rng);
                if (choice.value() != row.action) return {};
                ++accepted;
                sum += row.reward;
                return twin.policy->update(ActionId{row.action}, context, row.reward);
              }).ok());
  EXPECT_EQ(done->accepted, accepted);
  EXPECT_GT(accepted, rounds / 8);
  EXPECT_EQ(done->kept, rounds);
  EXPECT_TRUE(done->uniform);
  EXPECT_DOUBLE_EQ(done->estimate.value, sum / static_cast<double>(accepted));
}

// Of a log that prefers action 0, what is kept has equal shares: 1/4 within four errors.
TEST_F(LogRun, ReplayOfAnotherLogIsThinnedToAUniformOne) {
  std::string text;
  Rng rng(10);
  constexpr int rows = 20'000;
  for (int i = 0; i < rows; ++i) {
    const bool preferred = to_unit(rng()) < 0.7;
    const std::uint64_t action = preferred ? 0 : 1 + rng.below(3);
    text += fmt::format("{{\"action\":{},\"reward\":{},\"propensity\":{},\"actions\":4}}\n", action,
                        to_unit(rng()) < 0.2 + 0.1 * static_cast<double>(action) ? 1 : 0,
                        preferred ? 0.7 : 0.1);
  }
  test::put(folder_ / "log.jsonl", text);
  Log log{{path("log.jsonl")}, {}};
  want_offers(log);
  auto learner = LearntPolicy::make("uniform", rows, survey(log, "", {}).value()).value();
  const auto done = replay(log, learner, {});
  ASSERT_TRUE(done.ok());
  EXPECT_FALSE(done->uniform);
  // Each row is kept with 0.4 on average, and then uniform agrees with 1/4: mean reward 0.35.
  EXPECT_NEAR(static_cast<double>(done->kept), 0.4 * rows, 4 * std::sqrt(0.24 * rows));
  EXPECT_NEAR(static_cast<double>(done->accepted), 0.1 * rows, 4 * std::sqrt(0.09 * rows));
  EXPECT_NEAR(done->estimate.value, 0.35, 4 * done->estimate.standard_error);
  EXPECT_THAT(done->warnings, testing::Contains(HasSubstr("kept by rejection")));
  auto cut = LearntPolicy::make("uniform", rows, survey(log, "", {}).value()).value();
  const auto biased = replay(log, cut, {.confidence = 0.95, .seed = 1, .largest_weight = 5.0});
  ASSERT_TRUE(biased.ok());
  EXPECT_GT(biased->cut, 5000U);
}

TEST_F(LogRun, RowsThatDoNotFitAreNamed) {
  const auto refusal = [&](const std::string& text) {
    test::put(folder_ / "log.jsonl", text);
    Log log{{path("log.jsonl")}, {}};
    want_offers(log);
    const auto shape = survey(log, "", {});
    return shape.ok() ? std::string("taken") : shape.error().message;
  };
  const std::string first = R"({"action":0,"reward":1,"propensity":1,"actions":2,"context":[1,2]})";
  EXPECT_EQ(refusal(first), "taken");
  EXPECT_THAT(
      refusal(first + "\n" + R"({"action":0,"reward":1,"propensity":1,"actions":2,"context":[1]})"),
      HasSubstr("line 2: it has 1 features, the rows before it 2"));
  EXPECT_THAT(refusal(first + "\n" + R"({"action":0,"reward":1,"propensity":1,"actions":2})"),
              HasSubstr("line 2: it offers arms, the rows before it context"));
  EXPECT_THAT(refusal(R"({"action":0,"reward":2,"propensity":1,"actions":2})"),
              HasSubstr("reward must be between 0 and 1, got 2"));
  EXPECT_THAT(
      refusal(
          R"({"action":0,"reward":1,"propensity":1,"actions":2,"action_features":[[1],[1,2]]})"),
      HasSubstr("rows of the same length"));
  EXPECT_THAT(
      refusal(R"({"action":0,"reward":1,"propensity":1,"actions":3,"action_features":[[1],[2]]})"),
      HasSubstr("action_features has 2 entries, but there are 3 actions"));
  EXPECT_THAT(refusal(R"({"action":0,"reward":1,"inverse_propensity":0.5,"actions":2})"),
              HasSubstr("inverse_propensity must be at least 1, got 0.5"));
}

}  // namespace
}  // namespace phe::logs
