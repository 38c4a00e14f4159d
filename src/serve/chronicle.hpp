// Chronicle: the log of an application in steps of ten seconds, for the page: what was earned, what
// the baseline (always the first action) and a uniform choice would have earned, and how much was
// explored.
//
// A step is read once, when every event in it is settled: before that those with a reward would be
// in it and those without would not. The newest steps are read first, of each at most so many
// events, and no longer than asked: a log of any size can be looked at. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "phe/result.hpp"
#include "serve/activity.hpp"
#include "serve/dictionary.hpp"
#include "serve/propensities.hpp"
#include "serve/snips.hpp"

namespace phe::serve {

// What is known of the events of some time. Two of them add up.
struct Digest {
  static constexpr std::size_t bins = 10;

  std::int64_t events = 0;       // that were read, active and settled
  std::int64_t explored = 0;     // what was shown was not what the model thought best
  std::int64_t unsupported = 0;  // some action could not have been shown
  double probability = 0.0;      // of what was shown, summed
  std::array<std::int64_t, bins> probabilities{};  // the same, by tenths
  bool whole = true;                               // no event was left out
  Snips policy, baseline, uniform;

  void add(const Digest& other) noexcept;
  void add(const Propensities& drawn, double reward) noexcept;
};

class Chronicle {
 public:
  static constexpr int most_events = 2'000;  // of a step; of more the first are read
  static constexpr int named_events = 20;    // of them, those whose names are kept

  explicit Chronicle(std::size_t dimension);

  // Reads what there is to read of the last day, or from `first` on, for at most `budget`
  // milliseconds or one step.
  Result<void> read(EventReader& reader, std::int64_t now, std::int64_t first, std::int64_t budget);

  // Of the steps from <= step < to that were read; how many they were.
  struct Sum {
    Digest digest;
    std::int64_t steps = 0;
  };
  [[nodiscard]] Sum between(std::int64_t from, std::int64_t to) const;
  // Steps that are to be read still, as far as is known.
  [[nodiscard]] std::int64_t unread() const noexcept { return unread_; }
  [[nodiscard]] const Dictionary& names() const noexcept { return names_; }

 private:
  struct Step {
    std::int64_t number = -1;  // the one that was read, if it is that which is asked for
    Digest digest;
  };
  // Nothing when some of its events are open still.
  Result<std::optional<Digest>> read_step(EventReader& reader, std::int64_t step);

  std::vector<Step> steps_;
  std::int64_t unread_ = 0;
  PropensityReader propensities_;
  Dictionary names_;
};

}  // namespace phe::serve
