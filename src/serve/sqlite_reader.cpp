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

 private:
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

Result<void> SqliteReader::events(std::int64_t from, std::int64_t to,
                                  const std::function<bool(const LoggedEvent&)>& take) {
  Statement& get =
      sql_(
          "SELECT e.id, b.request, b.answer, e.time, e.mode, e.active, NOT e.open, e.drawn, "
          "e.shown, coalesce(e.reward, CASE e.mode WHEN 0 THEN e.outcome END) FROM events e JOIN "
          "bodies b ON b.number = e.number "
          "WHERE e.time >= ?1 AND e.time < ?2 ORDER BY e.number")
          .bind(1, from)
          .bind(2, to);
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
           "(SELECT count(*) FROM rewards), (SELECT total(late) FROM rewards) FROM events"),
      [&](Statement& row) {
        counts = {row.integer(0), row.integer(1), row.integer(2), row.integer(7), row.integer(8),
                  row.integer(3), row.integer(4), row.integer(5), row.integer(6)};
        return true;
      });
  if (!done) return done.error();
  return counts;
}

}  // namespace

Result<std::unique_ptr<EventReader>> open_sqlite_reader(const std::filesystem::path& file) {
  auto database = Database::open(file, Database::Access::read);
  if (!database) return database.error();
  return std::unique_ptr<EventReader>(std::make_unique<SqliteReader>(std::move(database).value()));
}

}  // namespace phe::serve
