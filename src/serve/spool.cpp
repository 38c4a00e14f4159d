#include "serve/spool.hpp"

namespace phe::serve {

namespace {

constexpr const char* schema =
    "CREATE TABLE IF NOT EXISTS waiting(number INTEGER PRIMARY KEY AUTOINCREMENT, "
    "kind TEXT NOT NULL, subject TEXT NOT NULL, facts TEXT NOT NULL, body BLOB NOT NULL, "
    "note BLOB NOT NULL);"
    "CREATE INDEX IF NOT EXISTS subjects ON waiting(subject);";

}  // namespace

Result<std::unique_ptr<Spool>> Spool::open(const std::filesystem::path& file,
                                           Durability durability) {
  auto database = Database::open(file, Database::Access::write);
  if (!database) return database.error();
  const std::string synchronous = durability == Durability::commit ? "FULL" : "NORMAL";
  for (const std::string& sql : {std::string("PRAGMA journal_mode = WAL"),
                                 "PRAGMA synchronous = " + synchronous, std::string(schema)})
    if (auto done = database->run(sql); !done) return done.error();
  std::unique_ptr<Spool> spool(new Spool(std::move(database).value()));
  if (auto done = spool->count(); !done) return done.error();
  return spool;
}

Result<void> Spool::count() {
  Statement& get = sql_("SELECT count(*) FROM waiting");
  const Reset at_end{get};
  if (const auto row = get.step(); !row) return row.error();
  size_ = get.integer(0);
  return {};
}

Result<void> Spool::add(std::span<const Message* const> messages) {
  if (messages.empty()) return {};
  Result<void> done = sql_("BEGIN IMMEDIATE").run();
  for (std::size_t i = 0; done && i < messages.size(); ++i)
    done = sql_("INSERT INTO waiting(kind, subject, facts, body, note) VALUES (?1, ?2, ?3, ?4, ?5)")
               .bind(1, std::string_view(messages[i]->kind))
               .bind(2, std::string_view(messages[i]->subject))
               .bind(3, std::string_view(messages[i]->facts))
               .bind_blob(4, messages[i]->body)
               .bind_blob(5, messages[i]->note)
               .run();
  if (done) done = sql_("COMMIT").run();
  if (!done) return static_cast<void>(database_.run("ROLLBACK")), done;
  size_ += static_cast<std::int64_t>(messages.size());
  return {};
}

Result<std::vector<Spool::Waiting>> Spool::oldest(int most) {
  std::vector<Waiting> all;
  Statement& get =
      sql_("SELECT * FROM waiting ORDER BY number LIMIT ?1").bind(1, std::int64_t{most});
  const Reset at_end{get};
  for (;;) {
    const auto row = get.step();
    if (!row) return row.error();
    if (!row.value()) return all;
    const auto text = [&](int column) { return std::string(get.text(column)); };
    all.push_back({get.integer(0), {text(1), text(2), text(3), text(4), text(5)}});
  }
}

Result<void> Spool::remove_up_to(std::int64_t number) {
  auto done = sql_("DELETE FROM waiting WHERE number <= ?1").bind(1, number).run();
  if (!done) return done;
  size_ -= database_.changes();
  return {};
}

Result<std::optional<std::string>> Spool::answer(std::string_view event) {
  Statement& get =
      sql_("SELECT note FROM waiting WHERE subject = ?1 AND kind = 'rank'").bind(1, event);
  const Reset at_end{get};
  const auto row = get.step();
  if (!row) return row.error();
  if (!row.value()) return std::optional<std::string>();
  return std::optional(std::string(get.text(0)));
}

}  // namespace phe::serve
