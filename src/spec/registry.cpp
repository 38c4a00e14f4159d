#include "phe/registry.hpp"

#include <algorithm>

#include "spec/nearest.hpp"
#include "spec/spec_text.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

template <class Entry>
Entry* find_entry(const std::vector<std::unique_ptr<Entry>>& entries, std::string_view name) {
  const auto found =
      std::ranges::find_if(entries, [&](const auto& entry) { return entry->name == name; });
  return found == entries.end() ? nullptr : found->get();
}

// An entry of the same name is replaced in place: what was looked up before stays valid.
template <class Entry>
void add_entry(std::vector<std::unique_ptr<Entry>>& entries, Entry entry) {
  if (Entry* const old = find_entry(entries, entry.name))
    *old = std::move(entry);
  else
    entries.push_back(std::make_unique<Entry>(std::move(entry)));
}

template <class Entry>
Error unknown_name(std::string_view kind, std::string_view plural, std::string_view name,
                   const std::vector<std::unique_ptr<Entry>>& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const auto& entry : entries) names.push_back(entry->name);
  return invalid("no {} is called '{}'{} ({}: {})", kind, name, suggestion(name, names), plural,
                 fmt::join(names, ", "));
}

}  // namespace

void Registry::add(PolicyEntry entry) { add_entry(policies_, std::move(entry)); }
void Registry::add(ProblemEntry entry) { add_entry(problems_, std::move(entry)); }

Result<PolicySpec> Registry::policy(std::string_view spec, const FileLocator& locate) const {
  const std::string_view name = name_of(spec);
  const PolicyEntry* const entry = find_entry(policies_, name);
  if (!entry) return unknown_name("policy", "policies", name, policies_);
  auto parameters = Parameters::parse("policy", spec, entry->parameters);
  if (!parameters) return parameters.error();
  if (auto found = parameters->find_files(locate); !found) return found.error();
  return PolicySpec{std::string(spec), std::move(parameters).value(), entry};
}

Result<ProblemSpec> Registry::problem(std::string_view spec, const FileLocator& locate) const {
  const std::string_view name = name_of(spec);
  const ProblemEntry* const entry = find_entry(problems_, name);
  if (!entry) return unknown_name("problem", "problems", name, problems_);
  auto parameters = Parameters::parse("problem", spec, entry->parameters);
  if (!parameters) return parameters.error();
  const auto found = parameters->find_files(locate);
  auto problem = entry->make(parameters.value());
  if (!parameters->error()) return parameters->error().error();
  if (!problem) return problem.error();
  if (!found) return found.error();
  return ProblemSpec{std::string(spec), std::move(parameters).value(), std::move(problem).value()};
}

StreamKey ProblemSpec::instance_key(std::uint64_t seed, std::uint64_t number) const {
  return StreamKey(seed).with(parameters.canonical()).with(number);
}

Result<std::unique_ptr<const Instance>> ProblemSpec::instance(std::uint64_t seed,
                                                              std::uint64_t number) const {
  return problem->draw_numbered(instance_key(seed, number), number);
}

PolicyContext PolicyContext::of(const Instance& bandit, std::uint64_t rounds) {
  const auto* const contexts = dynamic_cast<const ContextInstance*>(&bandit);
  return {bandit.arms(), rounds, bandit.reward_range(), bandit.binary_rewards(),
          contexts != nullptr && contexts->one_context()};
}

Result<std::unique_ptr<Policy>> PolicySpec::make(const PolicyContext& context) const {
  Parameters values = parameters;
  auto policy = entry->make(values, context);
  if (!values.error()) return values.error().error();
  return policy;
}

}  // namespace phe
