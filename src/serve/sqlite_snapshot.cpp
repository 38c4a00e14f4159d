#include "serve/sqlite_snapshot.hpp"

#include <array>

#include <fmt/format.h>

#include "serve/sqlite_store.hpp"
#include "serve/statements.hpp"
#include "support/error.hpp"

namespace phe::serve {

namespace {

// Before the others what others refer to.
constexpr std::array<std::string_view, 5> tables{"meta", "model", "events", "bodies", "rewards"};

std::string copy_sql() {
  const std::string kept =
      "FROM main.events WHERE open OR lesson > coalesce((SELECT lessons FROM main.model), 0)";
  return fmt::format(
      "INSERT INTO snapshot.meta SELECT * FROM main.meta;"
      "INSERT INTO snapshot.model SELECT * FROM main.model;"
      "INSERT INTO snapshot.events SELECT * {0};"
      "INSERT INTO snapshot.bodies SELECT * FROM main.bodies WHERE number IN (SELECT number {0});"
      "INSERT INTO snapshot.rewards SELECT * FROM main.rewards WHERE event IN (SELECT number {0});",
      kept);
}

// The tables of the schema, in the attached database.
std::string attached_schema() {
  std::string sql(sqlite_schema);
  for (const std::string_view before : {"TABLE IF NOT EXISTS ", "INDEX IF NOT EXISTS "})
    for (auto at = sql.find(before); at != std::string::npos; at = sql.find(before, at + 1))
      sql.insert(at + before.size(), "snapshot.");
  return sql;
}

Result<void> copy_table(Database& from, Database& to, std::string_view table) {
  if (auto done = to.run(fmt::format("DELETE FROM {}", table)); !done) return done;
  auto read = from.prepare(fmt::format("SELECT * FROM {}", table));
  if (!read) return read.error();
  std::string places = "?1";
  for (int i = 2; i <= read->columns(); ++i) places += fmt::format(", ?{}", i);
  auto write = to.prepare(fmt::format("INSERT INTO {} VALUES ({})", table, places));
  if (!write) return write.error();
  for (;;) {
    const auto row = read->step();
    if (!row) return row.error();
    if (!row.value()) return {};
    for (int i = 0; i < read->columns(); ++i) write->bind_column(i + 1, read.value(), i);
    if (auto done = write->run(); !done) return done;
  }
}

}  // namespace

Result<std::string> take_snapshot(Database& log) {
  if (auto done = log.run("ATTACH ':memory:' AS snapshot"); !done) return done.error();
  // One transaction: all tables as they were at one moment.
  auto done = log.run("BEGIN;" + attached_schema() + copy_sql() + "COMMIT");
  Result<std::string> bytes = std::string();
  if (done)
    bytes = log.bytes("snapshot");
  else
    static_cast<void>(log.run("ROLLBACK"));
  if (auto detached = log.run("DETACH snapshot"); done && !detached) done = detached;
  if (!done) return done.error();
  return bytes;
}

Result<void> restore_snapshot(std::string_view snapshot, Database& log) {
  if (snapshot.empty())
    return log.run(
        "DELETE FROM model; DELETE FROM events; DELETE FROM bodies; DELETE FROM rewards;"
        "DELETE FROM meta WHERE key <> 'format'");
  auto from = Database::of_bytes(snapshot);
  if (!from) return from.error();
  for (const std::string_view table : tables)
    if (auto done = copy_table(from.value(), log, table); !done)
      return invalid("the snapshot: {}", done.error().message);
  return {};
}

}  // namespace phe::serve
