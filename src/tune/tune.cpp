#include "tune/tune.hpp"

#include <algorithm>
#include <set>

#include "report/observations.hpp"
#include "support/error.hpp"
#include "tune/points.hpp"
#include "tune/race.hpp"
#include "tune/stage.hpp"

namespace phe::tune {

namespace {

constexpr double tuning_share = 0.7;  // of the budget; the rest is for the final comparison
constexpr std::size_t kept = 3;       // points that go from a stage into the next
constexpr std::size_t fewest_points = 4;
constexpr std::size_t spread_per_range = 12;
constexpr std::size_t around_per_range = 6;

bool is_tuned(const TunedFamily& tuned) { return !tuned.family.ranges.empty(); }

// How many points a stage may have: no more than two blocks of each cost.
std::size_t affordable(const Request& request, double limit, std::size_t most) {
  if (!request.budget.runs) return most;
  const auto points = static_cast<std::size_t>(limit / (2.0 * block));
  return std::clamp(points, fewest_points, std::max(most, fewest_points));
}

Result<void> check_budget(const Request& request, std::size_t tuned) {
  if (!request.budget.runs) return {};
  const double each = static_cast<double>(fewest_points * 2 * block) * stages / tuning_share;
  const auto least = static_cast<std::uint64_t>(each * static_cast<double>(tuned)) +
                     block * request.families.size() + 1;
  if (*request.budget.runs >= least) return {};
  return invalid(
      "--budget of {} runs is too small for {} {}, {} of them with ranges; at least {} are needed",
      *request.budget.runs, request.families.size(),
      request.families.size() == 1 ? "policy" : "policies", tuned, least);
}

class Tuner {
 public:
  Tuner(const Request& request, const Registry& registry, const DoRuns& do_runs, const Tell& tell)
      : request_(request),
        registry_(registry),
        do_runs_(do_runs),
        tell_(tell),
        spending_(request.budget, request.workers) {
    for (const Family& family : request.families)
      families_.push_back(
          {.family = family, .best = family.ranges.empty() ? family.spec_at({}) : ""});
  }

  Result<std::optional<Tuned>> run();

 private:
  [[nodiscard]] std::size_t tuned() const {
    return static_cast<std::size_t>(std::ranges::count_if(families_, is_tuned));
  }
  std::vector<Place> places_for(std::size_t stage, std::size_t family, double limit) const;
  Result<bool> run_stage(std::size_t stage);
  void conclude(std::size_t stage, const std::vector<Entrant>& entrants, std::size_t family);
  Result<void> choose_finalists();
  Result<Plan> final_plan(std::uint64_t instances) const;
  Result<bool> time_a_block(Runs& runs, double& each);
  [[nodiscard]] std::uint64_t instances_left(double each) const;
  Tuned result(Plan plan, Runs runs);

  const Request& request_;
  const Registry& registry_;
  const DoRuns& do_runs_;
  const Tell& tell_;
  Spending spending_;
  std::vector<TunedFamily> families_;
  std::vector<std::string> finalists_;  // what the families found, each policy once
  std::uint64_t runs_done_ = 0;
};

// New places of a family, and in later stages the best of the stage before.
std::vector<Place> Tuner::places_for(std::size_t stage, std::size_t family, double limit) const {
  const TunedFamily& tuned = families_[family];
  const std::size_t ranges = tuned.family.ranges.size();
  SplitMix words(StreamKey(request_.seed).with(tuned.family.text).with(stage));
  if (stage == 0)
    return spread_places(ranges, affordable(request_, limit, spread_per_range * ranges), words);
  std::vector<const Point*> before;
  for (const Point& point : tuned.points)
    if (point.stage + 1 == stage && !point.dropped) before.push_back(&point);
  std::ranges::stable_sort(before, {}, [](const Point* p) { return p->regret.mean; });
  if (before.size() > kept) before.resize(kept);
  std::vector<Place> places;
  for (const Point* const point : before) places.push_back(point->place);
  const std::size_t most = around_per_range * ranges + before.size();
  const std::size_t fresh = affordable(request_, limit, most) - before.size();
  // First the space between two neighbours of the first stage, then between two of the second.
  const double reach = (stage == 1 ? 1.0 : 0.25) / static_cast<double>(spread_per_range);
  for (Place& place : places_around(before.front()->place, reach, fresh, words))
    places.push_back(std::move(place));
  return places;
}

// What `other` lost beyond `best` on the instances that both had.
MeanAndError above(const Entrant& best, const Entrant& other, Replicates replicates) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(best.losses.size(), other.losses.size()); ++i)
    differences.push_back(other.losses[i] - best.losses[i]);
  return mean_and_error(differences, replicates);
}

// Puts down how a family's points did.
void Tuner::conclude(std::size_t stage, const std::vector<Entrant>& entrants, std::size_t family) {
  TunedFamily& tuned = families_[family];
  std::vector<const Entrant*> left;
  std::vector<const std::vector<double>*> losses;
  for (const Entrant& entrant : entrants) {
    if (entrant.family != family || !entrant.alive) continue;
    left.push_back(&entrant);
    losses.push_back(&entrant.losses);
  }
  if (left.empty()) return;  // all its points were another family's as well
  const Entrant& best = *left[lowest_mean(losses)];
  for (const Entrant& entrant : entrants)
    if (entrant.family == family)
      tuned.points.push_back({stage, entrant.spec, entrant.place, entrant.losses.size(),
                              mean_and_error(entrant.losses, request_.replicates),
                              above(best, entrant, request_.replicates), !entrant.alive});
  tuned.best = best.spec;
  tuned.as_good.clear();
  tuned.at_edge.clear();
  for (std::size_t r = 0; r < tuned.family.ranges.size(); ++r) {
    const Range& range = tuned.family.ranges[r];
    const auto place = [r](const Entrant* entrant) { return entrant->place[r]; };
    tuned.as_good.emplace_back(range.value_at(place(std::ranges::min(left, {}, place))),
                               range.value_at(place(std::ranges::max(left, {}, place))));
    if (best.place[r] < 0.01 || best.place[r] > 0.99) tuned.at_edge.push_back(range.key);
  }
}

Result<bool> Tuner::run_stage(std::size_t stage) {
  const double pool = tuning_share * spending_.total() - spending_.spent();
  const double limit = pool / static_cast<double>(stages - stage) / static_cast<double>(tuned());
  if (stage > 0 && limit <= 0.0) return true;  // the time is over
  std::vector<Entrant> entrants;
  std::set<std::string> seen;
  for (std::size_t family = 0; family < families_.size(); ++family) {
    if (!is_tuned(families_[family])) continue;
    for (Place& place : places_for(stage, family, limit)) {
      std::string spec = families_[family].family.spec_at(place);
      if (seen.insert(spec).second) entrants.push_back({family, std::move(place), std::move(spec)});
    }
  }
  const Race race{&request_, &registry_, &do_runs_, &tell_, &spending_, &runs_done_};
  auto complete = race.run(stage, limit, entrants);
  if (!complete || !complete.value()) return complete;
  for (std::size_t family = 0; family < families_.size(); ++family)
    if (is_tuned(families_[family])) conclude(stage, entrants, family);
  return true;
}

// Two families may have found the same policy.
Result<void> Tuner::choose_finalists() {
  std::vector<std::string> names;
  for (TunedFamily& tuned : families_) {
    const auto policy = registry_.policy(tuned.best, request_.locate);
    if (!policy) return policy.error();
    const std::string name = policy->parameters.canonical();
    const auto before = std::ranges::find(names, name);
    tuned.finalist = static_cast<std::size_t>(before - names.begin());
    if (before != names.end()) continue;
    names.push_back(name);
    finalists_.push_back(tuned.best);
  }
  return {};
}

Result<Plan> Tuner::final_plan(std::uint64_t instances) const {
  return Plan::create({.problems = {request_.problem},
                       .policies = finalists_,
                       .rounds = request_.rounds,
                       .instances = instances,
                       .first_instance = first_final_instance,
                       .seed = request_.seed,
                       .checkpoints = request_.final_checkpoints},
                      registry_, request_.locate);
}

// Where the budget is in time, a block tells what an instance costs.
Result<bool> Tuner::time_a_block(Runs& runs, double& each) {
  const auto plan = final_plan(block);
  if (!plan) return plan.error();
  const double before = spending_.spent();
  spending_.begin();
  auto complete = do_runs_(stages, plan.value(), plan->runs(), runs);
  spending_.end(0, 0.0);
  each = (spending_.spent() - before) / static_cast<double>(block);
  return complete;
}

// What is left of the budget, in instances for all finalists.
std::uint64_t Tuner::instances_left(double each) const {
  constexpr std::uint64_t most = 100'000;
  const double instances = each > 0.0 ? std::max(spending_.left() / each, 0.0) : 0.0;
  return std::clamp(static_cast<std::uint64_t>(instances), block, most);
}

Tuned Tuner::result(Plan plan, Runs runs) {
  Tuned tuned{.families = std::move(families_),
              .plan = std::move(plan),
              .runs = std::move(runs),
              .regret = {},
              .winner = 0,
              .differences = {},
              .runs_done = runs_done_};
  std::vector<std::size_t> policies;
  for (std::size_t p = 0; p < finalists_.size(); ++p) {
    policies.push_back(p);
    tuned.regret.push_back(
        mean_and_error(observations(tuned.plan, tuned.runs, 0, p), request_.replicates));
    if (tuned.regret[p].mean < tuned.regret[tuned.winner].mean) tuned.winner = p;
  }
  for (PairedDifference& pair : paired_differences(tuned.plan, tuned.runs, all_pairs(policies),
                                                   final_confidence, request_.replicates))
    if (pair.policy == tuned.winner || pair.other == tuned.winner)
      tuned.differences.push_back(pair);
  return tuned;
}

Result<std::optional<Tuned>> Tuner::run() {
  for (std::size_t stage = 0; tuned() > 0 && stage < stages; ++stage) {
    const auto complete = run_stage(stage);
    if (!complete) return complete.error();
    if (!complete.value()) return std::optional<Tuned>();
  }
  if (auto done = choose_finalists(); !done) return done.error();
  Runs runs;
  double each = static_cast<double>(finalists_.size());
  if (!request_.budget.runs) {
    const auto complete = time_a_block(runs, each);
    if (!complete) return complete.error();
    if (!complete.value()) return std::optional<Tuned>();
  }
  auto plan = final_plan(instances_left(each));
  if (!plan) return plan.error();
  const auto ids = plan->runs();
  const auto complete = do_runs_(stages, plan.value(), ids, runs);
  if (!complete) return complete.error();
  if (!complete.value()) return std::optional<Tuned>();
  runs_done_ += ids.size();
  return std::optional<Tuned>(result(std::move(plan).value(), std::move(runs)));
}

}  // namespace

Result<std::optional<Tuned>> tune(Request request, const Registry& registry, const DoRuns& do_runs,
                                  const Tell& tell) {
  const auto problem = registry.problem(request.problem, request.locate);
  if (!problem) return problem.error();
  const auto instance = problem->instance(request.seed, 0);
  if (!instance) return instance.error();
  const auto context = PolicyContext::of(*instance.value(), request.rounds);
  std::size_t tuned = 0;
  for (Family& family : request.families) {
    if (auto done = settle(family, registry, request.locate, context); !done) return done.error();
    tuned += family.ranges.empty() ? 0 : 1;
  }
  if (auto done = check_budget(request, tuned); !done) return done.error();
  return Tuner(request, registry, do_runs, tell).run();
}

}  // namespace phe::tune
