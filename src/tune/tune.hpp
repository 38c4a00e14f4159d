// tune: which policy, with which parameters, for a problem?
//
// In three stages. The first spreads points over the ranges of each policy; the second and third
// put new ones around the best, beside the best of the stage before. Each stage is a race on
// instances of its own: all points of a policy have the same instances, a block at a time, and
// after each block those that are significantly worse than the best of their policy leave. What was
// found is then compared on instances that no stage saw, so that its regret is not the luckiest of
// many.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"
#include "report/paired.hpp"
#include "tune/budget.hpp"
#include "tune/family.hpp"

namespace phe::tune {

inline constexpr std::size_t stages = 3;
inline constexpr std::uint64_t first_instance_of_stage = 100'000;  // times its number, from 0
inline constexpr std::uint64_t first_final_instance = 500'000;
inline constexpr double final_confidence = 0.95;  // of all intervals of the comparison together
inline constexpr double race_confidence = 0.99;   // that a point which leaves is worse

struct Request {
  std::string problem;
  FileLocator locate = {};
  std::vector<Family> families = {};
  std::uint64_t rounds = 10'000;
  std::uint64_t seed = 1;
  Budget budget = {};
  std::string final_checkpoints = "100";            // of the runs of the comparison
  Replicates replicates = Replicates::independent;  // what instances of the problem are
  unsigned workers = 1;  // that do runs at once; decides nothing where the budget is in runs
};

// Does those runs of the plan that `runs` has not got. `stage` counts from 0, and `stages` is the
// final comparison. False when it was interrupted.
using DoRuns = std::function<Result<bool>(std::size_t stage, const Plan& plan,
                                          const std::vector<RunId>& ids, Runs& runs)>;
// Told after each block: the stage, points still in the race and all, and the runs done so far.
struct News {
  std::size_t stage = 0;
  std::size_t left = 0;
  std::size_t points = 0;
  std::uint64_t runs = 0;
  double spent = 0.0;  // share of the budget
};
using Tell = std::function<void(const News&)>;

// A policy that was tried in a stage.
struct Point {
  std::size_t stage = 0;
  std::string spec = {};
  Place place = {};
  std::size_t instances = 0;
  MeanAndError regret = {};
  MeanAndError above_best = {};  // the best of its stage, on the instances that both had
  bool dropped = false;          // for being significantly worse
};

struct TunedFamily {
  Family family;
  std::vector<Point> points = {};  // by stage; empty where there was nothing to tune
  std::string best = {};           // the spec that goes into the final comparison
  std::size_t finalist = 0;        // and its position there
  // For each range the lowest and the highest value that was not dropped in the last stage.
  std::vector<std::pair<std::string, std::string>> as_good = {};
  // Keys whose best value is at the end of its range: beyond may be better.
  std::vector<std::string> at_edge = {};
};

struct Tuned {
  std::vector<TunedFamily> families;
  Plan plan;  // of the final comparison; what two families found is there once
  Runs runs;
  std::vector<MeanAndError> regret;  // of each policy of that plan
  std::size_t winner = 0;            // the lowest
  // Winner and each other. All pairs could have been the one that is looked at, so each interval is
  // corrected for all of them. Empty for one policy alone.
  std::vector<PairedDifference> differences;
  std::uint64_t runs_done = 0;  // of tuning and comparison
};

// Nothing when it was interrupted. The registry must outlive what this returns.
Result<std::optional<Tuned>> tune(Request request, const Registry& registry, const DoRuns& do_runs,
                                  const Tell& tell = {});

}  // namespace phe::tune
