#include "sim/workload.hpp"

#include <cassert>

namespace phe {

void Workload::had(const Kind& kind, double seconds) {
  Group& group = groups_[kind];
  ++group.known;
  group.seconds += seconds;
  ++done_;
  ++total_;
}

void Workload::expect(const Kind& kind) {
  ++groups_[kind].left;
  ++total_;
}

void Workload::did(const Kind& kind, double seconds) {
  Group& group = groups_[kind];
  assert(group.left > 0);
  --group.left;
  ++group.known;
  group.seconds += seconds;
  seconds_did_ += seconds;
  ++done_;
}

double Workload::left_per_done() const noexcept {
  double known = 0.0;
  double seconds = 0.0;
  for (const auto& [kind, group] : groups_) {
    known += static_cast<double>(group.known);
    seconds += group.seconds;
  }
  double left = 0.0;
  for (const auto& [kind, group] : groups_)
    left += static_cast<double>(group.left) *
            (group.known > 0 ? group.seconds / static_cast<double>(group.known) : seconds / known);
  return seconds_did_ > 0.0 ? left / seconds_did_ : 0.0;
}

}  // namespace phe
