// One stage of tuning: points of all families race on instances of their own.
#pragma once

#include <vector>

#include "phe/registry.hpp"
#include "phe/result.hpp"
#include "tune/spending.hpp"
#include "tune/tune.hpp"

namespace phe::tune {

struct Entrant {
  std::size_t family = 0;
  Place place = {};
  std::string spec = {};
  bool alive = true;
  std::vector<double> losses = {};  // by instance
};

inline constexpr std::uint64_t block = 4;  // instances between two looks
inline constexpr std::size_t first_look = 2 * block;

// Races the entrants of each family against each other until one is left, or until the family has
// cost `limit`; every entrant has one block at least. False when interrupted. Several entrants must
// not have the same spec.
struct Race {
  const Request* request;
  const Registry* registry;
  const DoRuns* do_runs;
  const Tell* tell;
  Spending* spending;
  std::uint64_t* runs_done;

  Result<bool> run(std::size_t stage, double limit, std::vector<Entrant>& entrants) const;
};

}  // namespace phe::tune
