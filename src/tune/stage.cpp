#include "tune/stage.hpp"

#include <algorithm>
#include <map>

#include "tune/race.hpp"

namespace phe::tune {

namespace {

// The entrants of one family that are still in the race, and what that family has cost.
struct Field {
  std::vector<std::size_t> alive;  // positions among all entrants
  double cost = 0.0;
  std::uint64_t runs = 0;

  // Whether another block fits under the limit, at the cost of the runs so far.
  [[nodiscard]] bool goes_on(double limit) const noexcept {
    if (alive.size() < 2) return false;
    if (runs == 0) return true;
    const double each = cost / static_cast<double>(runs);
    return cost + each * static_cast<double>(alive.size() * block) <= limit;
  }
};

std::vector<const std::vector<double>*> losses_of(const std::vector<Entrant>& entrants,
                                                  const std::vector<std::size_t>& alive) {
  std::vector<const std::vector<double>*> losses;
  for (const std::size_t e : alive) losses.push_back(&entrants[e].losses);
  return losses;
}

void drop_worse(std::vector<Entrant>& entrants, Field& field, Replicates replicates) {
  for (const std::size_t worse :
       significantly_worse(losses_of(entrants, field.alive), race_confidence, replicates))
    entrants[field.alive[worse]].alive = false;
  std::erase_if(field.alive, [&](std::size_t e) { return !entrants[e].alive; });
}

// As many instances as the cheapest race, of two alone, could ask for.
std::uint64_t most_instances(const Request& request, double limit) {
  constexpr std::uint64_t most = 20'000;
  if (!request.budget.runs) return most;
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(limit / 2.0), block, most);
}

}  // namespace

Result<bool> Race::run(std::size_t stage, double limit, std::vector<Entrant>& entrants) const {
  Experiment experiment{.problems = {request->problem},
                        .policies = {},
                        .rounds = request->rounds,
                        .instances = most_instances(*request, limit),
                        .first_instance = stage * first_instance_of_stage,
                        .seed = request->seed,
                        .checkpoints = "1"};
  std::map<std::size_t, Field> fields;
  for (std::size_t e = 0; e < entrants.size(); ++e) {
    experiment.policies.push_back(entrants[e].spec);
    fields[entrants[e].family].alive.push_back(e);
  }
  const auto plan = Plan::create(std::move(experiment), *registry, request->locate);
  if (!plan) return plan.error();

  Runs runs;
  for (std::uint64_t done = 0; done + block <= plan->experiment().instances; done += block) {
    std::vector<RunId> ids;
    for (const auto& [family, field] : fields)
      if (field.goes_on(limit))
        for (const std::size_t e : field.alive)
          for (std::uint64_t i = 0; i < block; ++i)
            ids.push_back({0, e, plan->experiment().first_instance + done + i});
    if (ids.empty()) break;
    spending->begin();
    const auto complete = (*do_runs)(stage, plan.value(), ids, runs);
    if (!complete || !complete.value()) return complete;
    double seconds = 0.0;
    for (const RunId& id : ids) seconds += runs.at(id).seconds;
    spending->end(ids.size(), seconds);
    *runs_done += ids.size();
    for (const RunId& id : ids) {
      const RunResult& run = runs.at(id);
      entrants[id.policy].losses.push_back(run.regret.back());
      Field& field = fields[entrants[id.policy].family];
      field.cost += spending->cost_of(run.seconds);
      ++field.runs;
    }
    News news{stage, 0, entrants.size(), *runs_done, spending->spent() / spending->total()};
    for (auto& [family, field] : fields) {
      const std::size_t seen = entrants[field.alive.front()].losses.size();
      if (seen == done + block && seen >= first_look)
        drop_worse(entrants, field, request->replicates);
      news.left += field.alive.size();
    }
    if (*tell) (*tell)(news);
  }
  return true;
}

}  // namespace phe::tune
