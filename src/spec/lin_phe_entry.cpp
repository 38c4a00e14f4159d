// The entry of linphe stands here and not beside the policy: its key `theory` needs the analysis.
#include "policies/checks.hpp"
#include "policies/entries.hpp"
#include "policies/lin_phe_learner.hpp"
#include "policies/memory_key.hpp"
#include "support/text.hpp"
#include "theory/choice.hpp"

namespace phe {

namespace {

// The key `theory`: a and lambda of Table 1.
Result<void> apply_theory(const Parameters& p, const PolicyContext& context, double ridge,
                          bool shifted, LinPheOptions& options) {
  if (p.given("a")) return invalid("policy linphe: theory sets a itself; leave a out");
  if (context.arms.empty()) return invalid("policy linphe: theory is about fixed arms");
  theory::ChoiceOptions choice;
  if (shifted) choice.reading = theory::Reading::as_written;
  if (p.given("ridge")) choice.ridge = ridge;
  if (const std::string text = p.text("norm"); text != "auto") {
    choice.norm = parse_number<double>(text);
    if (!choice.norm)
      return invalid("policy linphe: norm must be auto or a number, got '{}'", text);
  }
  const auto constants = theory::choose_constants(context.arms, context.rounds, choice);
  if (!constants) return invalid("policy linphe: theory: {}", constants.error().message);
  options.perturbation_scale = constants->a;
  options.ridge = constants->lambda;
  return {};
}

Result<std::unique_ptr<Policy>> make(Parameters& p, const PolicyContext& context) {
  LinPheOptions options;
  options.perturbation_scale = p.real("a");
  options.ridge = p.real("ridge");
  options.gram = static_cast<Gram>(p.choice("gram", {"paper", "authors"}));
  options.centred = p.flag("centred");
  options.schedule = ScaleSchedule(p.choice("schedule", {"constant", "linear"}));
  options.memory = read_memory(p);
  options.rounds = context.rounds;
  const bool theory = p.flag("theory");
  const bool shifted = p.flag("shifted");
  if (!p.error()) return p.error().error();
  if (!theory && (p.given("norm") || p.given("shifted")))
    return invalid("policy linphe: norm and shifted go with theory");
  if (theory)
    if (auto done = apply_theory(p, context, options.ridge, shifted, options); !done)
      return done.error();
  return make_policy(p, context,
                     [&](Start start) {
                       options.start = start;
                       return LinPheLearner::create(context.arms, options);
                     },
                     {.fixed = Start::basis, .contexts = Start::prior, .has_prior = true});
}

}  // namespace

PolicyEntry lin_phe_entry() {
  return {
      "linphe", "perturbed-history exploration in a linear bandit (Algorithm 1)",
      with_common_keys(
          {{"a", "0.5", "perturbation scale: pseudo-rewards per observed reward, > 0"},
           {"ridge", "1", "regularisation lambda, > 0", false, "theory"},
           {"gram", "paper", "Gram matrix for fractional a, fixed arms: paper | authors"},
           {"centred", "false", "pseudo-rewards of mean 0 instead of 1/2"},
           {"schedule", "constant", "scale in round t: constant = a | linear = a (1 - (t-1)/n)"},
           {"memory", "all", memory_meaning},
           {"theory", "false", "a and ridge of the paper's Table 1 (phe bound)"},
           {"norm", "auto", "theory: a bound on |theta*|; auto follows from means in [0, 1]"},
           {"shifted", "false", "theory: shift theta* by a/2, as the proof does"}}),
      make};
}

}  // namespace phe
