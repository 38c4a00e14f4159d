// EventStore: what happened, kept. Ranks, rewards and activations of one application go in; out
// comes the order in which the model is to learn them.
//
// The log is the truth: an event is learnt by giving it the next number of `learned`, in the same
// transaction as what settled it, and the model is always a function of the lessons in that order.
// A store is written by one thread. The lessons and the stored model may be read by another.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"
#include "serve/configuration.hpp"

namespace phe::serve {

struct NewEvent {
  std::string_view id = {};
  std::int64_t time = 0;
  std::int64_t closes = 0;  // when its reward wait time ends
  LearningMode mode = LearningMode::online;
  bool active = true;
  std::size_t drawn = 0;          // the model's choice, among the request's actions
  std::size_t shown = 0;          // what the caller was told to show
  std::string_view request = {};  // the body of the rank call
  std::string_view answer = {};   // of ours
};

struct RewardRules {
  Aggregation aggregation = Aggregation::earliest;
  double default_reward = 0.0;
};

// What became of a call.
enum class Fate { done, unknown_event, late, repeated };

// What a model learns: the action that was drawn of this request paid `outcome`.
struct Lesson {
  std::int64_t number = 0;
  std::size_t drawn = 0;
  double outcome = 0.0;
  std::string_view request;
};

struct StoredModel {
  std::int64_t lessons = 0;  // the number of the last one that it knows of
  std::int64_t learnt = 0;   // how many it has learnt, since it was last reset
  std::int64_t created = 0, modified = 0;
  std::string policy = {};
  std::size_t dimension = 0;
  std::string state = {};
};

// One event with all that is known of it, for logs and evaluations.
struct LoggedEvent {
  std::string_view id, request, answer;
  std::int64_t time = 0;
  LearningMode mode = LearningMode::online;
  bool active = true;
  bool settled = false;  // no reward can count any more
  std::size_t drawn = 0, shown = 0;
  std::optional<double> reward;  // or what was learnt instead of one
};

struct StoreCounts {
  std::int64_t events = 0, waiting = 0, lessons = 0, rewards = 0, late_rewards = 0;
  std::int64_t apprentice_events = 0, apprentice_matches = 0;
  std::int64_t first_time = 0, last_time = 0;
  std::int64_t expired = 0;  // closed without a reward
};

// The side that one thread writes. Between begin and commit; what is written is there for others,
// and after a crash, when commit has returned.
class EventStore {
 public:
  virtual ~EventStore() = default;

  virtual Result<void> begin() = 0;
  virtual Result<void> commit() = 0;
  virtual void rollback() noexcept = 0;

  // Once it is committed, `answer` is that of the event with this id: of `event`, or of the one
  // that was there before.
  virtual Result<Fate> add(const NewEvent& event, std::string& answer) = 0;
  virtual Result<Fate> reward(std::string_view event, double value, std::string_view call,
                              std::int64_t now, const RewardRules& rules) = 0;
  virtual Result<Fate> activate(std::string_view event, std::int64_t now,
                                const RewardRules& rules) = 0;
  // Settles at most `most` events whose time is over; how many there were.
  virtual Result<int> settle(std::int64_t now, const RewardRules& rules, int most) = 0;
  // Forgets at most `most` events older than `before` that the stored model does not need.
  virtual Result<int> retire(std::int64_t before, int most) = 0;
  // All events, but those that the stored model has yet to learn.
  virtual Result<void> forget_log() = 0;
  virtual Result<void> put_model(const StoredModel& model) = 0;
  // Documents by name: configuration, evaluations.
  virtual Result<void> put(std::string_view key, std::string_view value) = 0;
  virtual Result<void> remove(std::string_view key) = 0;
};

// A store that follows a log shared with others (fold.hpp): what else that takes.
class Replica : public EventStore {
 public:
  // A settled event of this id goes on without it, so that another event can have it.
  virtual Result<void> release(std::string_view event) = 0;
  // Documents whose names begin so, in the order of their names; they are removed.
  virtual Result<std::vector<std::string>> take(std::string_view prefix) = 0;
  // Everything is as it was when EventReader::snapshot made these bytes; without any, as at first.
  virtual Result<void> restore(std::string_view snapshot) = 0;

  // Lessons that were given out, committed or not.
  [[nodiscard]] virtual std::int64_t lessons() const noexcept = 0;
};

// The side that any thread reads, each through a reader of its own. Sees what was committed.
class EventReader {
 public:
  virtual ~EventReader() = default;

  // At most `most` lessons after number `after`, in order; how many there were.
  virtual Result<int> lessons_after(std::int64_t after, int most,
                                    const std::function<void(const Lesson&)>& take) = 0;
  // The number of the last lesson of an event before `time`; 0 where there is none.
  virtual Result<std::int64_t> last_lesson_before(std::int64_t time) = 0;
  virtual Result<std::optional<StoredModel>> model() = 0;
  virtual Result<std::optional<std::string>> get(std::string_view key) = 0;
  // All documents whose names begin so, in the order of their names.
  virtual Result<std::vector<std::string>> all(std::string_view prefix) = 0;
  // Events with from <= time < to, in the order in which they came, until `take` returns false.
  virtual Result<void> events(std::int64_t from, std::int64_t to,
                              const std::function<bool(const LoggedEvent&)>& take) = 0;
  virtual Result<StoreCounts> counts() = 0;
  // What was answered for an event; nothing where it is not known.
  virtual Result<std::optional<std::string>> answer(std::string_view event) = 0;
  // When the next open event closes; nothing where none is open.
  virtual Result<std::optional<std::int64_t>> next_close() = 0;
  // All that the future needs, as bytes: documents, the stored model, the events that are open or
  // that it has yet to learn.
  virtual Result<std::string> snapshot() = 0;
  // Moves what was committed to where it stays, without keeping whoever writes from it. To be
  // called about once a second, by one reader.
  virtual Result<void> tidy() = 0;
};

}  // namespace phe::serve
