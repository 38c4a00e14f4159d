// phe learn: a policy learns a log, and its state is kept.
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "common_flags.hpp"
#include "log_flags.hpp"
#include "logs/learnt_policy.hpp"
#include "output.hpp"
#include "record/experiment_json.hpp"
#include "support/error.hpp"

namespace phe::app {

namespace {

constexpr const char* about_learn = "Let a policy learn from a log, and keep its state";

constexpr const char* examples_of_learn =
    R"(The state goes to FILE, what is needed to use it to FILE.json. Use it with phe evaluate --state FILE, or
anywhere as a key of the policy: linphe:a=1,state=FILE.

Examples:
  phe learn log.jsonl --policy linphe:a=1 --out warm.state
  phe learn events.csv.gz --columns action=item,reward=click,propensity=p,features=user_* \
    --policy greedy:disjoint --weights inverse --clip 20 --out greedy.state)";

struct LearnFlags : LogFlags {
  std::string policy, out, arms;
  Typed rounds, weights, clip;
  bool json = false;
};

Result<logs::LearnOptions> options_from(const LearnFlags& flags) {
  logs::LearnOptions options;
  const std::string weights = flags.weights.value_or("plain");
  if (weights != "plain" && weights != "inverse")
    return invalid("--weights must be plain or inverse, got '{}'", weights);
  if (weights == "plain" && flags.clip) return invalid("--clip is for --weights inverse");
  if (weights == "plain") return options;
  double largest = 10.0;
  if (auto done = read_positive("--clip", flags.clip, largest); !done) return done.error();
  options.largest_weight = largest;
  return options;
}

std::string report(const LearnFlags& flags, const logs::LearntPolicy& policy,
                   const logs::Learnt& learnt) {
  const auto& shape = policy.log_rounds.shape();
  if (flags.json)
    return dumped({{"policy", flags.policy},
                   {"state", flags.out},
                   {"rows", learnt.lines.decisions},
                   {"weight", learnt.weight},
                   {"cut", learnt.cut},
                   {"actions", shape.actions},
                   {"log", shape.json()}},
                  2) +
           '\n';
  std::string text = fmt::format("{} learnt {} rows of {} actions", flags.policy,
                                 learnt.lines.decisions, shape.actions);
  if (shape.dimension > 0) text += fmt::format(" and {} features", shape.dimension);
  if (flags.weights.value_or("plain") == "inverse")
    text += fmt::format("; weight {:.6g}, {} rows cut", learnt.weight, learnt.cut);
  return fmt::format("{}\nstate: {}, {}.json\n", text, flags.out, flags.out);
}

int run_learn(const LearnFlags& flags) {
  auto log = log_from(flags);
  if (!log) return bad_input(log.error().message);
  if (flags.policy.empty()) return bad_input("no policy given, for example --policy linphe:a=1");
  if (flags.out.empty())
    return bad_input("no file for the state given, for example --out warm.state");
  const auto options = options_from(flags);
  if (!options) return bad_input(options.error().message);
  const auto rewards = rewards_from(flags);
  if (!rewards) return bad_input(rewards.error().message);
  std::uint64_t rounds = Experiment{}.rounds;
  if (auto done = read_count("--rounds", rounds_range, flags.rounds, rounds); !done)
    return bad_input(done.error().message);
  logs::want_offers(log.value());
  auto shape = logs::survey(log.value(), flags.arms, rewards.value());
  if (!shape) return bad_input(shape.error().message);
  auto policy = logs::LearntPolicy::make(flags.policy, rounds, std::move(shape).value());
  if (!policy) return bad_input(policy.error().message);
  const auto learnt = logs::learn(log.value(), policy.value(), options.value());
  if (!learnt) return bad_input(learnt.error().message);
  if (auto done = policy->save(flags.out); !done) return failed(done.error().message);
  tell_skipped(learnt->lines);
  fmt::print("{}", report(flags, policy.value(), learnt.value()));
  return exit_done;
}

}  // namespace

void add_learn_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("learn", about_learn);
  const auto flags = std::make_shared<LearnFlags>();
  flags->add_to(*command);
  const auto option = [&](const char* name, auto& into, const char* type, const char* meaning) {
    command->add_option(name, into, meaning)->type_name(type);
  };
  option("--policy", flags->policy, "SPEC", "policy that learns (phe policies)");
  option("--out", flags->out, "FILE", "where its state goes");
  option("--arms", flags->arms, "FILE", "CSV with the features of fixed arms, a line each");
  option("--rounds", flags->rounds, "N", "horizon of the policy (10000)");
  option("--weights", flags->weights, "WHAT",
         "plain: every row counts 1; inverse: 1/propensity (plain)");
  option("--clip", flags->clip, "M", "no row weighs more, with --weights inverse (10)");
  command->add_flag("--json", flags->json, "print JSON instead of text");
  command->footer(examples_of_learn);
  command->callback([&chosen, flags] { chosen = [flags] { return run_learn(*flags); }; });
}

}  // namespace phe::app
