// The m of the binomial benchmarks: log-uniform in [1, 10^4], in random order.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "phe/rng.hpp"

namespace phe::bench {

inline std::vector<std::uint64_t> log_uniform_trials(std::size_t count = 4096) {
  Rng rng(StreamKey(1).with(Stream::test));
  std::vector<std::uint64_t> trials(count);
  for (auto& m : trials)
    m = static_cast<std::uint64_t>(std::floor(std::exp(to_unit(rng()) * std::log(10'001.0))));
  return trials;
}

}  // namespace phe::bench
