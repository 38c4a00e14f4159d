// How much of a list of runs is left, when runs of different kinds take different times.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

namespace phe {

// Kinds are numbered by the caller: a kind is a policy on a problem.
class Workload {
 public:
  using Kind = std::pair<std::size_t, std::size_t>;

  // A run that was there before.
  void had(const Kind& kind, double seconds);
  // A run to do.
  void expect(const Kind& kind);
  // An expected run is done.
  void did(const Kind& kind, double seconds);

  [[nodiscard]] std::size_t done() const noexcept { return done_; }
  [[nodiscard]] std::size_t total() const noexcept { return total_; }
  // The work left in multiples of the work done by did(): what a run of its kind took on average,
  // or of any kind, if none of its kind is done yet. Precondition: did() was called.
  [[nodiscard]] double left_per_done() const noexcept;

 private:
  struct Group {
    std::size_t known = 0;
    double seconds = 0.0;
    std::size_t left = 0;
  };

  std::map<Kind, Group> groups_;
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  double seconds_did_ = 0.0;
};

}  // namespace phe
