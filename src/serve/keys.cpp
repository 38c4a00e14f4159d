#include "serve/keys.hpp"

#include <algorithm>

#include "serve/clock.hpp"
#include "serve/secrets.hpp"
#include "support/error.hpp"

namespace phe::serve {

namespace {

constexpr std::size_t shortest_key = 8;

constexpr std::string_view schema = R"(
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS applications(name TEXT PRIMARY KEY, made INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS keys(
  number INTEGER PRIMARY KEY AUTOINCREMENT, application TEXT NOT NULL, digest BLOB NOT NULL UNIQUE,
  made INTEGER NOT NULL);
)";

Result<std::int64_t> one_integer(Statement& statement) {
  const Reset at_end{statement};
  const auto row = statement.step();
  if (!row) return row.error();
  return row.value() ? statement.integer(0) : 0;
}

}  // namespace

bool is_application_name(std::string_view name) noexcept {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= 64 && name != "service" &&
         std::ranges::all_of(name, allowed);
}

Result<std::unique_ptr<Keys>> Keys::open(const std::filesystem::path& file) {
  auto database = Database::open(file, Database::Access::write);
  if (!database) return database.error();
  std::unique_ptr<Keys> keys(new Keys(std::move(database).value()));
  if (auto done = keys->begin(); !done) return done.error();
  return keys;
}

Result<void> Keys::begin() {
  for (const std::string& sql : {std::string("PRAGMA journal_mode = WAL"),
                                 std::string("PRAGMA synchronous = FULL"), std::string(schema)})
    if (auto done = database_.run(sql); !done) return done;
  const std::string fresh = random_key(32);
  if (auto done = sql_("INSERT OR IGNORE INTO meta VALUES ('salt', ?1)")
                      .bind(1, std::string_view(fresh))
                      .run();
      !done)
    return done;
  {
    Statement& salt = sql_("SELECT value FROM meta WHERE key = 'salt'");
    const Reset at_end{salt};
    if (const auto row = salt.step(); !row) return row.error();
    salt_ = salt.text(0);
  }
  const auto now = version();
  if (!now) return now.error();
  version_ = now.value();
  return read();
}

Result<std::int64_t> Keys::version() { return one_integer(sql_("PRAGMA data_version")); }

Result<void> Keys::read() {
  auto table = std::make_shared<Table>();
  Statement& all = sql_("SELECT digest, application FROM keys");
  const Reset at_end{all};
  for (;;) {
    const auto row = all.step();
    if (!row) return row.error();
    if (!row.value()) break;
    table->emplace(all.text(0), all.text(1));
  }
  table_ = std::move(table);
  return {};
}

// The digest is looked up and not the key, so the time it takes says nothing about any key; and
// what is found is compared once more in constant time.
std::string Keys::application_of(std::string_view key) const {
  const std::string digest = keyed_digest(salt_, key);
  const auto table = table_.load();
  const auto at = table->find(digest);
  return at != table->end() && same_secret(at->first, digest) ? at->second : "";
}

Result<std::vector<std::string>> Keys::applications() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  Statement& all = sql_("SELECT name FROM applications ORDER BY name");
  const Reset at_end{all};
  for (;;) {
    const auto row = all.step();
    if (!row) return row.error();
    if (!row.value()) return names;
    names.emplace_back(all.text(0));
  }
}

Result<std::string> Keys::add(std::string_view application, std::optional<std::string_view> key) {
  if (!is_application_name(application))
    return invalid("an application's name has 1 to 64 of a-z, 0-9, - and _, got '{}'", application);
  if (key && key->size() < shortest_key)
    return invalid("a key must have at least {} characters", shortest_key);
  const std::lock_guard lock(mutex_);
  const std::string made = key ? std::string(*key) : "phe_" + random_key(20);
  const std::string digest = keyed_digest(salt_, made);
  const std::int64_t now = Clock::wall();
  if (auto done = sql_("INSERT OR IGNORE INTO applications VALUES (?1, ?2)")
                      .bind(1, application)
                      .bind(2, now)
                      .run();
      !done)
    return done.error();
  const auto count =
      one_integer(sql_("SELECT count(*) FROM keys WHERE application = ?1").bind(1, application));
  if (!count) return count.error();
  if (count.value() >= 2)
    return invalid("application {} has two keys: remove one before you add another", application);
  if (auto done = sql_("INSERT INTO keys(application, digest, made) VALUES (?1, ?2, ?3)")
                      .bind(1, application)
                      .bind_blob(2, digest)
                      .bind(3, now)
                      .run();
      !done)
    return invalid("the key is in use already");
  if (auto done = read(); !done) return done.error();
  return made;
}

Result<void> Keys::remove(std::string_view application, int which) {
  const std::lock_guard lock(mutex_);
  if (auto done = sql_("DELETE FROM keys WHERE number = (SELECT number FROM keys WHERE "
                       "application = ?1 ORDER BY number LIMIT 1 OFFSET ?2)")
                      .bind(1, application)
                      .bind(2, std::int64_t{which - 1})
                      .run();
      !done)
    return done;
  if (database_.changes() == 0) return invalid("application {} has no key {}", application, which);
  return read();
}

Result<std::vector<std::int64_t>> Keys::made(std::string_view application) {
  const std::lock_guard lock(mutex_);
  std::vector<std::int64_t> times;
  Statement& all =
      sql_("SELECT made FROM keys WHERE application = ?1 ORDER BY number").bind(1, application);
  const Reset at_end{all};
  for (;;) {
    const auto row = all.step();
    if (!row) return row.error();
    if (!row.value()) return times;
    times.push_back(all.integer(0));
  }
}

Result<bool> Keys::reload() {
  const std::lock_guard lock(mutex_);
  const auto now = version();
  if (!now) return now.error();
  if (now.value() == version_) return false;
  version_ = now.value();
  if (auto done = read(); !done) return done.error();
  return true;
}

}  // namespace phe::serve
