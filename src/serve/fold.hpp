// Fold: the entries of the shared stream, applied one after the other to a node's own log. The log
// is a function of the entries alone: times are those of the stream, rules are those of the
// configuration that stands in it, so all nodes come to the same lessons in the same order, however
// the entries reach them in pieces and whatever their clocks say.
//
// A reward or an activation that the stream has before its rank (a node that was cut off tells of
// its ranks late) waits for it, for a day.
//
// A value: take a copy, apply a batch within a transaction, and keep the copy when it is committed.
#pragma once

#include "phe/result.hpp"
#include "serve/event_store.hpp"
#include "serve/stream_entry.hpp"

namespace phe::serve {

inline constexpr std::int64_t early_keep = day;

class Fold {
 public:
  // Goes on from what the log holds.
  static Result<Fold> after(EventReader& log);

  // Within a transaction of the log. Entries that are not after `position` change nothing.
  Result<void> apply(const Entry& entry, Replica& log);
  // Puts down the position, in the same transaction.
  Result<void> finish(Replica& log) const;

  // The last entry that was applied.
  [[nodiscard]] StreamId position() const noexcept { return position_; }
  // How many entries of these kinds were applied, in all: whoever looks sees a change.
  [[nodiscard]] std::int64_t models() const noexcept { return models_; }
  [[nodiscard]] std::int64_t configurations() const noexcept { return configurations_; }

 private:
  Result<void> rank(const Entry& entry, Replica& log);
  Result<void> react(const Entry& entry, Replica& log);
  Result<void> put(const Message& message, Replica& log);
  Result<void> drop_early(std::int64_t today, Replica& log);

  StreamId position_;
  RewardRules rules_;
  bool early_ = false;  // some may wait for their rank
  std::int64_t models_ = 0, configurations_ = 0;
};

}  // namespace phe::serve
