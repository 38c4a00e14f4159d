// The entry of linphe stands here and not beside the policy: its key `theory` needs the analysis.
#include "policies/entries.hpp"
#include "policies/lin_phe_learner.hpp"
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
  LinPheOptions options = LinPheLearner::keys().read(p);
  const bool theory = p.flag("theory");
  const bool shifted = p.flag("shifted");
  if (!p.error()) return p.error().error();
  if (!theory && (p.given("norm") || p.given("shifted")))
    return invalid("policy linphe: norm and shifted go with theory");
  if (theory)
    if (auto done = apply_theory(p, context, options.ridge, shifted, options); !done)
      return done.error();
  return configured_policy<LinPheLearner>(
      p, context, options, {.fixed = Start::basis, .contexts = Start::prior, .has_prior = true});
}

}  // namespace

PolicyEntry lin_phe_entry() {
  auto keys = LinPheLearner::keys().infos();
  for (ParameterInfo& info : keys)
    if (info.key == "ridge") info.replaced_by = "theory";
  keys.push_back({"theory", "false", "a and ridge of the paper's Table 1 (phe bound)"});
  keys.push_back(
      {"norm", "auto", "theory: a bound on |theta*|; auto follows from means in [0, 1]"});
  keys.push_back({"shifted", "false", "theory: shift theta* by a/2, as the proof does"});
  return {"linphe", "perturbed-history exploration in a linear bandit (Algorithm 1)",
          with_common_keys(std::move(keys)), make};
}

}  // namespace phe
