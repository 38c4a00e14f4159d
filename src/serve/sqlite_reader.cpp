#include <algorithm>
#include <limits>

#include "serve/sqlite_snapshot.hpp"
#include "serve/sqlite_store.hpp"
#include "serve/statements.hpp"
#include "support/error.hpp"

namespace phe::serve {

namespace {

class SqliteReader final : public EventReader {
 public:
  explicit SqliteReader(Database database) : database_(std::move(database)), sql_(database_) {}

  Result<int> lessons_after(std::int64_t after, int most,
                            const std::function<void(const Lesson&)>& take) override;
  Result<std::int64_t> last_lesson_before(std::int64_t time) override;
  Result<std::optional<StoredModel>> model() override;
  Result<std::optional<std::string>> get(std::string_view key) override;
  Result<std::vector<std::string>> all(std::string_view prefix) override;
  Result<void> events(std::int64_t from, std::int64_t to,
                      const std::function<bool(const LoggedEvent&)>& take) override;
  Result<StoreCounts> counts() override;
  Result<std::optional<std::string>> answer(std::string_view event) override;
  Result<std::optional<std::int64_t>> next_close() override;
  Result<std::string> snapshot() override { return take_snapshot(database_); }
  Result<void> tidy() override { return database_.run("PRAGMA wal_checkpoint(PASSIVE)"); }

 private:
  Result<std::int64_t> first_number(std::int64_t time);

  Database database_;
  Statements sql_;
};

// Calls `take` for each row until it returns false.
Result<int> each(Statement& statement, const std::function<bool(Statement&)>& take) {
  const Reset at_end{statement};
  for (int count = 0;; ++count) {
    const auto row = statement.step();
    if (!row) return row.error();
    if (!row.value() || !take(statement)) return count;
  }
}

Result<int> SqliteReader::lessons_after(std::int64_t after, int most,
                                        const std::function<void(const Lesson&)>& take) {
  Statement& get =
      sql_(
          "SELECT e.lesson, e.drawn, e.outcome, b.request FROM events e JOIN bodies b ON "
          "b.number = e.number WHERE e.lesson > ?1 ORDER BY e.lesson LIMIT ?2")
          .bind(1, after)
          .bind(2, std::int64_t{most});
  return each(get, [&](Statement& row) {
    take({row.integer(0), static_cast<std::size_t>(row.integer(1)), row.real(2), row.text(3)});
    return true;
  });
}

Result<std::int64_t> SqliteReader::last_lesson_before(std::int64_t time) {
  std::int64_t lesson = 0;
  auto done = each(sql_("SELECT max(lesson) FROM events WHERE time < ?1").bind(1, time),
                   [&](Statement& row) {
                     lesson = row.integer(0);
                     return true;
                   });
  if (!done) return done.error();
  return lesson;
}

Result<std::optional<StoredModel>> SqliteReader::model() {
  std::optional<StoredModel> model;
  auto done =
      each(sql_("SELECT lessons, learnt, created, modified, policy, dimension, state FROM model"),
           [&](Statement& row) {
             model = {row.integer(0),           row.integer(1),
                      row.integer(2),           row.integer(3),
                      std::string(row.text(4)), static_cast<std::size_t>(row.integer(5)),
                      std::string(row.text(6))};
             return true;
           });
  if (!done) return done.error();
  return model;
}

Result<std::optional<std::string>> SqliteReader::get(std::string_view key) {
  std::optional<std::string> value;
  auto done = each(sql_("SELECT value FROM meta WHERE key = ?1").bind(1, key), [&](Statement& row) {
    value = std::string(row.text(0));
    return true;
  });
  if (!done) return done.error();
  return value;
}

Result<std::vector<std::string>> SqliteReader::all(std::string_view prefix) {
  std::vector<std::string> values;
  auto done = each(sql_("SELECT value FROM meta WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key")
                       .bind(1, prefix),
                   [&](Statement& row) {
                     values.emplace_back(row.text(0));
                     return true;
                   });
  if (!done) return done.error();
  return values;
}

// Numbers grow with time, but for calls that overtook each other on their way to the log: by far
// less than this.
constexpr std::int64_t most_overtaken = 10 * second;
constexpr std::int64_t before(std::int64_t time) noexcept {
  return std::max(time, std::numeric_limits<std::int64_t>::min() + most_overtaken) - most_overtaken;
}
constexpr std::int64_t after(std::int64_t time) noexcept {
  return std::min(time, std::numeric_limits<std::int64_t>::max() - most_overtaken) + most_overtaken;
}

// The first number whose event is not before `time`, by bisection: there is no index by time, which
// every rank would have to keep.
Result<std::int64_t> SqliteReader::first_number(std::int64_t time) {
  std::int64_t low = 0;
  std::int64_t high = 0;
  const auto range = each(sql_("SELECT coalesce(max(number), 0) + 1 FROM events"),
                          [&](Statement& row) { return high = row.integer(0), true; });
  if (!range) return range.error();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    std::int64_t next = high;  // where the lower half ends, if what is there is too early
    bool early = false;
    const auto found =
        each(sql_("SELECT number, time FROM events WHERE number >= ?1 ORDER BY number LIMIT 1")
                 .bind(1, middle),
             [&](Statement& row) {
               early = row.integer(1) < time;
               next = row.integer(0) + 1;
               return true;
             });
    if (!found) return found.error();
    if (early)
      low = next;
    else
      high = middle;
  }
  return low;
}

Result<void> SqliteReader::events(std::int64_t from, std::int64_t to,
                                  const std::function<bool(const LoggedEvent&)>& take) {
  const auto first = first_number(before(from));
  if (!first) return first.error();
  const auto last = first_number(after(to));
  if (!last) return last.error();
  Statement& get =
      sql_(
          "SELECT e.id, b.request, b.answer, e.time, e.mode, e.active, NOT e.open, e.drawn, "
          "e.shown, coalesce(e.reward, CASE e.mode WHEN 0 THEN e.outcome END) FROM events e JOIN "
          "bodies b ON b.number = e.number "
          "WHERE e.number >= ?3 AND e.number < ?4 AND e.time >= ?1 AND e.time < ?2 "
          "ORDER BY e.number")
          .bind(1, from)
          .bind(2, to)
          .bind(3, first.value())
          .bind(4, last.value());
  auto done = each(get, [&](Statement& row) {
    LoggedEvent event{row.text(0),
                      row.text(1),
                      row.text(2),
                      row.integer(3),
                      static_cast<LearningMode>(row.integer(4)),
                      row.integer(5) != 0,
                      row.integer(6) != 0,
                      static_cast<std::size_t>(row.integer(7)),
                      static_cast<std::size_t>(row.integer(8)),
                      {}};
    if (!row.null(9)) event.reward = row.real(9);
    return take(event);
  });
  if (!done) return done.error();
  return {};
}

Result<StoreCounts> SqliteReader::counts() {
  StoreCounts counts;
  auto done = each(
      sql_("SELECT count(*), total(open), max(coalesce(max(lesson), 0), "
           "coalesce((SELECT lessons FROM model), 0)), total(mode = 1), "
           "total(mode = 1 AND drawn = shown), coalesce(min(time), 0), coalesce(max(time), 0), "
           "(SELECT count(*) FROM rewards), (SELECT total(late) FROM rewards), "
           "total(NOT open AND reward IS NULL) FROM events"),
      [&](Statement& row) {
        counts = {row.integer(0), row.integer(1), row.integer(2), row.integer(7), row.integer(8),
                  row.integer(3), row.integer(4), row.integer(5), row.integer(6), row.integer(9)};
        return true;
      });
  if (!done) return done.error();
  return counts;
}

Result<std::optional<std::string>> SqliteReader::answer(std::string_view event) {
  std::optional<std::string> answer;
  auto done = each(sql_("SELECT b.answer FROM events e JOIN bodies b ON b.number = e.number "
                        "WHERE e.id = ?1")
                       .bind(1, event),
                   [&](Statement& row) {
                     answer = row.text(0);
                     return true;
                   });
  if (!done) return done.error();
  return answer;
}

Result<std::optional<std::int64_t>> SqliteReader::next_close() {
  std::optional<std::int64_t> next;
  auto done = each(sql_("SELECT min(closes) FROM events WHERE open"), [&](Statement& row) {
    if (!row.null(0)) next = row.integer(0);
    return true;
  });
  if (!done) return done.error();
  return next;
}

}  // namespace

Result<std::unique_ptr<EventReader>> open_sqlite_reader(const std::filesystem::path& file,
                                                        Database::Access access) {
  auto database = Database::open(file, access);
  if (!database) return database.error();
  return std::unique_ptr<EventReader>(std::make_unique<SqliteReader>(std::move(database).value()));
}

}  // namespace phe::serve
