#include "policies/checks.hpp"

#include "policies/disjoint_policy.hpp"
#include "policies/learner_policy.hpp"

namespace phe {

std::vector<ParameterInfo> with_common_keys(std::vector<ParameterInfo> keys) {
  keys.push_back(
      {"start", "auto",
       "first rounds: none | basis (fixed arms) | random (d rounds) | each (every action "
       "once) | prior (perturbed)"});
  keys.push_back(
      {"disjoint", "false", "one model per action, for problems of one context a round"});
  keys.push_back({"state", "none", "file of a saved state to go on from (phe learn)", true});
  return keys;
}

const Named<Start>& start_names() {
  static const Named<Start> names{{"auto", Start::automatic}, {"none", Start::none},
                                  {"basis", Start::basis},    {"random", Start::random},
                                  {"each", Start::each},      {"prior", Start::prior}};
  return names;
}

Result<Start> read_start(Parameters& p, const PolicyContext& context, const Shape& shape) {
  const Start start = read_named(p, "start", start_names());
  const bool contexts = context.arms.empty();
  if (start == Start::automatic) return contexts ? shape.contexts : shape.fixed;
  if (start == Start::basis && contexts)
    return invalid("policy {}: start=basis needs fixed arms, and this problem has contexts",
                   p.name());
  if (start == Start::prior && !shape.has_prior)
    return invalid("policy {}: start=prior is for policies that perturb their history", p.name());
  return start;
}

namespace {

Result<void> check_offer(Parameters& p, const PolicyContext& context, const Shape& shape,
                         bool disjoint) {
  if (context.arms.empty() && shape.fixed_arms_only)
    return invalid("policy {}: it knows arms by their number alone and cannot play contexts",
                   p.name());
  if (disjoint && !context.one_context)
    return invalid("policy {}: disjoint needs one context a round, and this problem has {}",
                   p.name(), context.arms.empty() ? "features of each action" : "fixed arms");
  if (context.one_context && !disjoint && !shape.either_model)
    return invalid(
        "policy {}: this problem has one context a round and no features of actions; ask for a "
        "model per action: {}:disjoint",
        p.name(), p.name());
  return {};
}

std::unique_ptr<Policy> around(std::unique_ptr<Learner> learner, Start start,
                               const PolicyContext& context) {
  if (context.one_context)
    return std::make_unique<DisjointPolicy>(std::move(learner), start, context.rewards);
  return std::make_unique<LearnerPolicy>(context.arms, std::move(learner), start, context.rewards);
}

// The key `state`.
Result<std::unique_ptr<Policy>> from_state(const Parameters& p, std::unique_ptr<Policy> policy) {
  if (!p.given("state")) return policy;
  if (auto loaded = load(*policy, p.text("state")); !loaded) return loaded.error();
  return policy;
}

}  // namespace

Result<std::unique_ptr<Policy>> policy_around(Parameters& p, const PolicyContext& context,
                                              const Shape& shape,
                                              const std::function<BoxedLearner(Start)>& make) {
  const bool disjoint = p.flag("disjoint");
  const auto start = read_start(p, context, shape);
  if (!p.error()) return p.error().error();
  if (!start) return start.error();
  if (auto checked = first_error(
          {check_offer(p, context, shape, disjoint), check_range(p.name(), context.rewards)});
      !checked)
    return checked.error();
  auto learner = make(start.value());
  if (!learner) return learner.error();
  return from_state(p, around(std::move(learner).value(), start.value(), context));
}

}  // namespace phe
