// RedisLog: the shared log of one application in Redis, through one connection.
//
//   phe:{NAME}:stream      the entries (stream_entry.hpp)
//   phe:{NAME}:event:ID    where the rank of an event stands in it; for as long as ids are kept
//   phe:{NAME}:origin      made with the log: a node that followed another one sees it
//   phe:{NAME}:snapshot    a list: the position, and the bytes in pieces
//   phe:{NAME}:trimmed     entries before this id were removed; all others are there
//   phe:{NAME}:forgotten   DELETE /logs came here
//   phe:{NAME}:turn        which node made the last snapshot; when it is gone, the next is due
//
// One thread at a time.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "serve/redis.hpp"
#include "serve/stream_entry.hpp"

namespace phe::serve {

struct RedisOptions {
  RedisAddress address;
  std::int64_t timeout = second;  // of any one step
  std::int64_t keep = 2 * day;    // entries, and the ids of events
  std::int64_t snapshot_every = 60 * second;
  bool buffer_rewards = false;             // while the store is away; else they are refused
  std::int64_t most_buffered = 1'000'000;  // calls
};

class RedisLog {
 public:
  static Result<RedisLog> connect(const RedisOptions& options, const std::string& application);

  // Appends all, each once, in this order. `answered(i, answer)` is called for a rank whose event
  // was there before, which is not appended again. The last id that was given, if any.
  using Answered = std::function<void(std::size_t, std::string_view)>;
  Result<std::optional<StreamId>> append(std::span<const Message* const> messages,
                                         const Answered& answered);
  // At most `most` entries behind this place; waits so long (ms) for the first.
  Result<std::vector<Entry>> read_after(StreamId place, int most, std::int64_t wait);
  // Appends an entry that tells the time, where no entry has reached `due` and the clock has.
  Result<void> tick(std::int64_t due);

  // Empty where there is no log yet.
  Result<std::string> origin();
  using Documents = std::vector<std::pair<std::string, std::string>>;
  // Begins the log, unless somebody was faster; the origin that it has.
  Result<std::string> begin(const std::string& origin, const Documents& documents);
  // Whether the entry at this place is there, and all behind it that ever were.
  Result<bool> continues(StreamId place);

  struct Snapshot {
    StreamId position;
    std::string bytes;
  };
  Result<std::optional<Snapshot>> snapshot();
  // True for one node at a time, when so much time has passed (ms).
  Result<bool> snapshot_is_due(const std::string& node, std::int64_t every);
  // Removes entries before `from` that the snapshot covers.
  Result<void> install(const Snapshot& snapshot, StreamId from);

  // What of its settings puts acknowledged events at risk; nothing where they cannot be asked.
  std::vector<std::string> risks();

 private:
  RedisLog(Redis redis, const RedisOptions& options, const std::string& application)
      : redis_(std::move(redis)), options_(options), prefix_("phe:{" + application + "}:") {}
  enum Script : std::size_t { rank, react, forget, tick_, found, install_, scripts };
  Result<void> load_scripts();
  void send(const Message& message);
  [[nodiscard]] std::string key(std::string_view name) const { return prefix_ + std::string(name); }

  Redis redis_;
  RedisOptions options_;
  std::string prefix_;
  std::array<std::string, scripts> digests_;
};

}  // namespace phe::serve
