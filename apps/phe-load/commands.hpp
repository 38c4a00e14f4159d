// The commands of phe-load.
#pragma once

#include <cstdint>
#include <string>

#include "phe/result.hpp"

namespace phe::serve::load {

struct BenchOptions {
  std::string url, key;
  std::size_t connections = 32;
  double seconds = 5.0;
  std::uint64_t requests = 0;  // at most; 0: as many as there is time for
  double rate = 0.0;           // requests per second; 0: as fast as they are answered
  std::string what = "pair";   // rank | pair: a rank and its reward
  std::size_t actions = 20, features = 10;
  std::string prefix = "b";  // of the event ids
};
// One line of JSON: requests/s and percentiles of the latency.
Result<std::string> bench(const BenchOptions& options);

struct PlayOptions {
  std::string url, key;
  std::uint64_t rounds = 2000, runs = 20, seed = 1;
  std::size_t delay = 50;  // rewards come up to so many rounds later, in any order
  double missing = 0.05, repeated = 0.05;
  std::size_t connections = 8;
  bool apprentice = false;
  std::string curves;  // a CSV file of regret by round; empty: none
};
// A contextual problem with known truth, against the server and in this process.
Result<std::string> play(const PlayOptions& options);

// One line of JSON: microseconds of a rank of 20 actions with 10 features each, of a lesson and of
// publishing a model, without HTTP and log.
Result<std::string> cost(const std::string& policy, std::size_t dimension);

// A bare echo server on the same library, until it is ended.
Result<void> echo(std::uint16_t port, unsigned threads);

}  // namespace phe::serve::load
