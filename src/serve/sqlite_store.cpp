#include "serve/sqlite_store.hpp"

#include <algorithm>
#include <vector>

#include "serve/sqlite_snapshot.hpp"
#include "serve/statements.hpp"
#include "support/error.hpp"

namespace phe::serve {

// What is small and changes (events) lies apart from what is large and does not (bodies).
const std::string_view sqlite_schema = R"(
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  time INTEGER NOT NULL,
  closes INTEGER NOT NULL,
  open INTEGER NOT NULL,
  active INTEGER NOT NULL,
  mode INTEGER NOT NULL,
  drawn INTEGER NOT NULL,
  shown INTEGER NOT NULL,
  reward REAL,
  outcome REAL,
  lesson INTEGER);
CREATE INDEX IF NOT EXISTS open_events ON events(closes) WHERE open;
CREATE UNIQUE INDEX IF NOT EXISTS lessons ON events(lesson) WHERE lesson IS NOT NULL;
CREATE TABLE IF NOT EXISTS bodies(
  number INTEGER PRIMARY KEY, request BLOB NOT NULL, answer BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS rewards(
  number INTEGER PRIMARY KEY, event INTEGER NOT NULL, time INTEGER NOT NULL, value REAL NOT NULL,
  late INTEGER NOT NULL, call TEXT);
CREATE UNIQUE INDEX IF NOT EXISTS calls ON rewards(event, call) WHERE call IS NOT NULL;
CREATE TABLE IF NOT EXISTS model(
  only INTEGER PRIMARY KEY CHECK (only = 1), lessons INTEGER NOT NULL, learnt INTEGER NOT NULL,
  created INTEGER NOT NULL, modified INTEGER NOT NULL, policy TEXT NOT NULL, dimension INTEGER NOT NULL,
  state BLOB NOT NULL);
)";

namespace {

// What the rules need of an event that a call names.
struct Found {
  std::int64_t number = 0;
  std::int64_t closes = 0;
  bool open = false;
  bool active = false;
  LearningMode mode = LearningMode::online;
  std::optional<double> reward;
  bool learned = false;
  bool matched = false;
};

class SqliteStore final : public Replica {
 public:
  explicit SqliteStore(Database database) : database_(std::move(database)), sql_(database_) {}

  static Result<std::unique_ptr<Replica>> open(const std::filesystem::path& file,
                                               Durability durability);

  Result<void> begin() override { return sql_("BEGIN IMMEDIATE").run(); }
  Result<void> commit() override;
  void rollback() noexcept override;

  Result<Fate> add(const NewEvent& event, std::string& answer) override;
  Result<Fate> reward(std::string_view event, double value, std::string_view call, std::int64_t now,
                      const RewardRules& rules) override;
  Result<Fate> activate(std::string_view event, std::int64_t now,
                        const RewardRules& rules) override;
  Result<int> settle(std::int64_t now, const RewardRules& rules, int most) override;
  Result<int> retire(std::int64_t before, int most) override;
  Result<void> forget_log() override;
  Result<void> put_model(const StoredModel& model) override;
  Result<void> put(std::string_view key, std::string_view value) override;
  Result<void> remove(std::string_view key) override;
  Result<void> release(std::string_view event) override;
  Result<std::vector<std::string>> take(std::string_view prefix) override;
  Result<void> restore(std::string_view snapshot) override;

  [[nodiscard]] std::int64_t lessons() const noexcept override { return lessons_; }

 private:
  Result<void> count_lessons();
  Result<std::optional<Found>> find(std::string_view id);
  Result<void> learn(std::int64_t number, double outcome);
  Result<void> set_reward(std::int64_t number, double reward);
  Result<void> close(std::int64_t number);
  Result<std::string> stored_answer(std::int64_t number);

  Database database_;
  Statements sql_;
  std::int64_t lessons_ = 0;
  std::int64_t committed_lessons_ = 0;
};

Result<void> check_format(Statements& sql) {
  Statement& find = sql("SELECT value FROM meta WHERE key = 'format'");
  const Reset at_end{find};
  const auto row = find.step();
  if (!row) return row.error();
  if (!row.value())
    return sql("INSERT INTO meta VALUES ('format', ?1)").bind(1, std::int64_t{store_format}).run();
  if (find.integer(0) == store_format) return {};
  return invalid("the event log has format {}, this program reads format {}", find.integer(0),
                 store_format);
}

Result<std::unique_ptr<Replica>> SqliteStore::open(const std::filesystem::path& file,
                                                   Durability durability) {
  auto database = Database::open(file, Database::Access::write);
  if (!database) return database.error();
  const char* synchronous = durability == Durability::commit ? "FULL" : "NORMAL";
  // The thread that learns moves the write-ahead log into the file (tidy), but only this one can
  // end it: answers wait for that, so there is little to do, every 4 MiB, rather than much now and
  // then.
  for (const std::string& sql :
       {std::string("PRAGMA journal_mode = WAL"),
        std::string("PRAGMA synchronous = ") + synchronous,
        std::string("PRAGMA journal_size_limit = 134217728"),
        std::string("PRAGMA wal_autocheckpoint = 1000"), std::string("PRAGMA cache_size = -32768"),
        std::string(sqlite_schema)})
    if (auto done = database->run(sql); !done) return done.error();
  auto store = std::make_unique<SqliteStore>(std::move(database).value());
  if (auto done = check_format(store->sql_); !done)
    return invalid("{}: {}", file.string(), done.error().message);
  if (auto done = store->count_lessons(); !done) return done.error();
  store->committed_lessons_ = store->lessons_;
  return std::unique_ptr<Replica>(std::move(store));
}

Result<void> SqliteStore::count_lessons() {
  Statement& last = sql_(
      "SELECT max(coalesce((SELECT max(lesson) FROM events), 0), "
      "coalesce((SELECT lessons FROM model), 0))");
  const Reset at_end{last};
  if (const auto row = last.step(); !row) return row.error();
  lessons_ = last.integer(0);
  return {};
}

Result<void> SqliteStore::commit() {
  auto done = sql_("COMMIT").run();
  if (done) committed_lessons_ = lessons_;
  return done;
}

void SqliteStore::rollback() noexcept {
  static_cast<void>(database_.run("ROLLBACK"));  // fails where SQLite has rolled back itself
  lessons_ = committed_lessons_;
}

Result<std::string> SqliteStore::stored_answer(std::int64_t number) {
  Statement& get = sql_("SELECT answer FROM bodies WHERE number = ?1").bind(1, number);
  const Reset at_end{get};
  const auto row = get.step();
  if (!row) return row.error();
  return std::string(get.text(0));
}

Result<Fate> SqliteStore::add(const NewEvent& event, std::string& answer) {
  const bool matched = event.drawn == event.shown;
  auto added = sql_(
                   "INSERT INTO events(id, time, closes, open, active, mode, drawn, shown) "
                   "VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?7) ON CONFLICT(id) DO NOTHING")
                   .bind(1, event.id)
                   .bind(2, event.time)
                   .bind(3, event.closes)
                   .bind(4, std::int64_t{event.active})
                   .bind(5, static_cast<std::int64_t>(event.mode))
                   .bind(6, static_cast<std::int64_t>(event.drawn))
                   .bind(7, static_cast<std::int64_t>(event.shown))
                   .run();
  if (!added) return added.error();
  if (database_.changes() == 0) {
    const auto found = find(event.id);
    if (!found) return found.error();
    auto stored = stored_answer(found.value()->number);
    if (!stored) return stored.error();
    answer = std::move(stored).value();
    return Fate::repeated;
  }
  const std::int64_t number = database_.last_row();
  if (auto done = sql_("INSERT INTO bodies VALUES (?1, ?2, ?3)")
                      .bind(1, number)
                      .bind_blob(2, event.request)
                      .bind_blob(3, event.answer)
                      .run();
      !done)
    return done.error();
  if (event.mode == LearningMode::apprentice && event.active)
    if (auto done = learn(number, matched ? 1.0 : 0.0); !done) return done.error();
  answer = event.answer;
  return Fate::done;
}

Result<std::optional<Found>> SqliteStore::find(std::string_view id) {
  Statement& get = sql_(
                       "SELECT number, closes, open, active, mode, reward, lesson, drawn = shown "
                       "FROM events WHERE id = ?1")
                       .bind(1, id);
  const Reset at_end{get};
  const auto row = get.step();
  if (!row) return row.error();
  if (!row.value()) return std::optional<Found>();
  Found found;
  found.number = get.integer(0);
  found.closes = get.integer(1);
  found.open = get.integer(2) != 0;
  found.active = get.integer(3) != 0;
  found.mode = static_cast<LearningMode>(get.integer(4));
  if (!get.null(5)) found.reward = get.real(5);
  found.learned = !get.null(6);
  found.matched = get.integer(7) != 0;
  return std::optional(found);
}

Result<void> SqliteStore::learn(std::int64_t number, double outcome) {
  return sql_("UPDATE events SET lesson = ?2, outcome = ?3 WHERE number = ?1")
      .bind(1, number)
      .bind(2, ++lessons_)
      .bind(3, std::clamp(outcome, -1.0, 1.0))
      .run();
}

Result<void> SqliteStore::set_reward(std::int64_t number, double reward) {
  return sql_("UPDATE events SET reward = ?2 WHERE number = ?1")
      .bind(1, number)
      .bind(2, reward)
      .run();
}

Result<void> SqliteStore::close(std::int64_t number) {
  return sql_("UPDATE events SET open = 0 WHERE number = ?1").bind(1, number).run();
}

Result<Fate> SqliteStore::reward(std::string_view event, double value, std::string_view call,
                                 std::int64_t now, const RewardRules& rules) {
  const auto looked = find(event);
  if (!looked) return looked.error();
  if (!looked.value()) return Fate::unknown_event;
  const Found& found = *looked.value();
  const bool late = now >= found.closes;
  Statement& insert = sql_(
                          "INSERT INTO rewards(event, time, value, late, call) "
                          "VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING")
                          .bind(1, found.number)
                          .bind(2, now)
                          .bind(3, value)
                          .bind(4, std::int64_t{late});
  if (auto done = (call.empty() ? insert.bind_null(5) : insert.bind(5, call)).run(); !done)
    return done.error();
  if (database_.changes() == 0) return Fate::repeated;
  if (late) return Fate::late;
  const bool first = !found.reward;
  if (rules.aggregation == Aggregation::earliest && !first) return Fate::done;
  const double total = value + found.reward.value_or(0.0);
  if (auto done = set_reward(found.number, total); !done) return done.error();
  // The earliest reward is final, so there is nothing to wait for.
  if (rules.aggregation == Aggregation::earliest && found.active && !found.learned &&
      found.mode == LearningMode::online) {
    if (auto done = learn(found.number, total); !done) return done.error();
    if (auto done = close(found.number); !done) return done.error();
  }
  return Fate::done;
}

Result<Fate> SqliteStore::activate(std::string_view event, std::int64_t now,
                                   const RewardRules& rules) {
  const auto looked = find(event);
  if (!looked) return looked.error();
  if (!looked.value()) return Fate::unknown_event;
  const Found& found = *looked.value();
  if (now >= found.closes || !found.open) return Fate::late;
  if (found.active) return Fate::repeated;
  if (auto done =
          sql_("UPDATE events SET active = 1 WHERE number = ?1").bind(1, found.number).run();
      !done)
    return done.error();
  Result<void> done;
  if (found.mode == LearningMode::apprentice) {
    done = learn(found.number, found.matched ? 1.0 : 0.0);
  } else if (found.mode == LearningMode::online && found.reward &&
             rules.aggregation == Aggregation::earliest) {
    done = learn(found.number, *found.reward);
    if (done) done = close(found.number);
  }
  if (!done) return done.error();
  return Fate::done;
}

Result<int> SqliteStore::settle(std::int64_t now, const RewardRules& rules, int most) {
  struct Due {
    std::int64_t number;
    bool learn;
    double reward;
  };
  std::vector<Due> due;
  {
    Statement& get = sql_(
                         "SELECT number, active AND mode = 0 AND lesson IS NULL, "
                         "coalesce(reward, ?2) FROM events WHERE open AND closes <= ?1 "
                         "ORDER BY closes, number LIMIT ?3")
                         .bind(1, now)
                         .bind(2, rules.default_reward)
                         .bind(3, std::int64_t{most});
    const Reset at_end{get};
    for (;;) {
      const auto row = get.step();
      if (!row) return row.error();
      if (!row.value()) break;
      due.push_back({get.integer(0), get.integer(1) != 0, get.real(2)});
    }
  }
  for (const Due& event : due) {
    if (event.learn)
      if (auto done = learn(event.number, event.reward); !done) return done.error();
    if (auto done = close(event.number); !done) return done.error();
  }
  return static_cast<int>(due.size());
}

Result<int> SqliteStore::retire(std::int64_t before, int most) {
  // Numbers grow with time, so the oldest are the first.
  Statement& last = sql_(
                        "SELECT max(number), count(*) FROM (SELECT number FROM events "
                        "WHERE time < ?1 AND NOT open AND (lesson IS NULL OR lesson <= "
                        "coalesce((SELECT lessons FROM model), 0)) ORDER BY number LIMIT ?2)")
                        .bind(1, before)
                        .bind(2, std::int64_t{most});
  std::int64_t number = 0;
  int count = 0;
  {
    const Reset at_end{last};
    if (const auto row = last.step(); !row) return row.error();
    number = last.integer(0);
    count = static_cast<int>(last.integer(1));
  }
  if (count == 0) return 0;
  constexpr std::string_view those =
      "SELECT number FROM events WHERE number <= ?1 AND time < ?2 AND NOT open AND (lesson IS NULL "
      "OR lesson <= coalesce((SELECT lessons FROM model), 0))";
  for (const char* table :
       {"bodies WHERE number IN (", "rewards WHERE event IN (", "events WHERE number IN ("})
    if (auto done = sql_(std::string("DELETE FROM ") + table + std::string(those) + ")")
                        .bind(1, number)
                        .bind(2, before)
                        .run();
        !done)
      return done.error();
  return count;
}

Result<void> SqliteStore::forget_log() {
  return database_.run(
      "DELETE FROM events WHERE lesson IS NULL OR "
      "lesson <= coalesce((SELECT lessons FROM model), 0);"
      "DELETE FROM bodies WHERE number NOT IN (SELECT number FROM events);"
      "DELETE FROM rewards WHERE event NOT IN (SELECT number FROM events)");
}

Result<void> SqliteStore::release(std::string_view event) {
  return sql_("UPDATE events SET id = id || '#' || number WHERE id = ?1 AND NOT open")
      .bind(1, event)
      .run();
}

Result<std::vector<std::string>> SqliteStore::take(std::string_view prefix) {
  std::vector<std::string> values;
  // What begins with the prefix lies in one piece: every name is below prefix + the largest byte.
  const std::string end = std::string(prefix) + '\xff';
  {
    Statement& get = sql_("SELECT value FROM meta WHERE key >= ?1 AND key < ?2 ORDER BY key")
                         .bind(1, prefix)
                         .bind(2, std::string_view(end));
    const Reset at_end{get};
    for (;;) {
      const auto row = get.step();
      if (!row) return row.error();
      if (!row.value()) break;
      values.emplace_back(get.text(0));
    }
  }
  if (values.empty()) return values;
  if (auto done = sql_("DELETE FROM meta WHERE key >= ?1 AND key < ?2")
                      .bind(1, prefix)
                      .bind(2, std::string_view(end))
                      .run();
      !done)
    return done.error();
  return values;
}

Result<void> SqliteStore::restore(std::string_view snapshot) {
  if (auto done = restore_snapshot(snapshot, database_); !done) return done;
  return count_lessons();
}

Result<void> SqliteStore::put_model(const StoredModel& model) {
  return sql_("INSERT OR REPLACE INTO model VALUES (1, ?1, ?7, ?2, ?3, ?4, ?5, ?6)")
      .bind(1, model.lessons)
      .bind(2, model.created)
      .bind(3, model.modified)
      .bind(4, std::string_view(model.policy))
      .bind(5, static_cast<std::int64_t>(model.dimension))
      .bind_blob(6, model.state)
      .bind(7, model.learnt)
      .run();
}

Result<void> SqliteStore::remove(std::string_view key) {
  return sql_("DELETE FROM meta WHERE key = ?1").bind(1, key).run();
}

Result<void> SqliteStore::put(std::string_view key, std::string_view value) {
  return sql_("INSERT OR REPLACE INTO meta VALUES (?1, ?2)").bind(1, key).bind_blob(2, value).run();
}

}  // namespace

Result<std::unique_ptr<Replica>> open_sqlite_store(const std::filesystem::path& file,
                                                   Durability durability) {
  return SqliteStore::open(file, durability);
}

}  // namespace phe::serve
