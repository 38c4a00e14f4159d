#include "record/renumber.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace phe {

namespace {

using Names = std::vector<std::string>;

std::uint64_t end_of(const Experiment& e) { return e.first_instance + e.instances; }

// Where each of `names` is among `others`; others.size() where it is not.
std::vector<std::size_t> places(const Names& names, const Names& others) {
  std::vector<std::size_t> places;
  for (const std::string& name : names)
    places.push_back(static_cast<std::size_t>(std::ranges::find(others, name) - others.begin()));
  return places;
}

// A journal of an older phe has its policies as they were typed.
std::vector<std::size_t> policy_places(const JournalHeader& its, const JournalHeader& ours) {
  auto found = places(its.policy_names, ours.policy_names);
  if (its.policy_names != its.experiment.policies) return found;
  const auto typed = places(its.experiment.policies, ours.experiment.policies);
  for (std::size_t i = 0; i < found.size(); ++i) found[i] = std::min(found[i], typed[i]);
  return found;
}

std::string first_missing(const char* kind, const std::vector<std::size_t>& places, std::size_t end,
                          const Names& texts) {
  const auto missing = std::ranges::find(places, end);
  if (missing == places.end()) return "";
  return fmt::format("{} {}", kind, texts[static_cast<std::size_t>(missing - places.begin())]);
}

// Adds the texts and names of those that are not there yet.
void append_missing(const std::vector<std::size_t>& places, const Names& texts, const Names& names,
                    Names& our_texts, Names& our_names) {
  const std::size_t end = our_names.size();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] != end) continue;
    our_texts.push_back(texts[i]);
    our_names.push_back(names[i]);
  }
}

}  // namespace

std::string left_out(const JournalHeader& its, const JournalHeader& ours) {
  const Experiment& a = its.experiment;
  const Experiment& b = ours.experiment;
  if (auto text = first_missing("problem", places(its.problem_names, ours.problem_names),
                                ours.problem_names.size(), a.problems);
      !text.empty())
    return text;
  if (auto text =
          first_missing("policy", policy_places(its, ours), ours.policy_names.size(), a.policies);
      !text.empty())
    return text;
  if (a.first_instance >= b.first_instance && end_of(a) <= end_of(b)) return "";
  return fmt::format("instances {} to {}", a.first_instance, end_of(a) - 1);
}

bool same_lists(const JournalHeader& its, const JournalHeader& ours) {
  return its.problem_names == ours.problem_names && its.policy_names == ours.policy_names &&
         its.experiment.first_instance == ours.experiment.first_instance &&
         its.experiment.instances == ours.experiment.instances;
}

JournalHeader united(const JournalHeader& ours, const JournalHeader& its) {
  JournalHeader both = ours;
  Experiment& e = both.experiment;
  append_missing(places(its.problem_names, ours.problem_names), its.experiment.problems,
                 its.problem_names, e.problems, both.problem_names);
  append_missing(policy_places(its, ours), its.experiment.policies, its.policy_names, e.policies,
                 both.policy_names);
  const std::uint64_t end = std::max(end_of(ours.experiment), end_of(its.experiment));
  e.first_instance = std::min(e.first_instance, its.experiment.first_instance);
  e.instances = end - e.first_instance;
  for (const InputDigest& input : its.inputs)
    if (std::ranges::find(both.inputs, input.name, &InputDigest::name) == both.inputs.end())
      both.inputs.push_back(input);
  return both;
}

Runs renumbered(const Runs& runs, const JournalHeader& its, const JournalHeader& ours) {
  const auto problems = places(its.problem_names, ours.problem_names);
  const auto policies = policy_places(its, ours);
  Runs renumbered;
  for (const auto& [id, run] : runs) {
    RunResult moved = run;
    moved.id = {problems[id.problem], policies[id.policy], id.instance};
    renumbered.emplace(moved.id, std::move(moved));
  }
  return renumbered;
}

}  // namespace phe
