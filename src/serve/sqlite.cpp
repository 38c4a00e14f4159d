#include "serve/sqlite.hpp"

#include <algorithm>

#include <sqlite3.h>

#include "support/error.hpp"

namespace phe::serve {

void Database::Close::operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }

Result<Database> Database::open(const std::filesystem::path& file, Access access) {
  sqlite3* raw = nullptr;
  const int flags =
      access == Access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(file.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(raw, file.string());
  if (code != SQLITE_OK) return database.error("cannot be opened");
  sqlite3_busy_timeout(raw, 10'000);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  return database;
}

Result<Database> Database::of_bytes(std::string_view bytes) {
  auto database = open(":memory:", Access::write);
  if (!database) return database;
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size() + 1));
  if (copy == nullptr) return Error{"there is not enough memory"};
  std::ranges::copy(bytes, copy);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  if (sqlite3_deserialize(database->database_.get(), "main", copy, size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE) != SQLITE_OK)
    return database->error("cannot be read");
  return database;
}

Result<std::string> Database::bytes(const char* schema) const {
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(database_.get(), schema, &size, 0);
  if (bytes == nullptr) return error("cannot be copied");
  std::string copy(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  sqlite3_free(bytes);
  return copy;
}

Result<void> Database::run(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return error(sql.substr(0, sql.find('(')));
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                         SQLITE_PREPARE_PERSISTENT, &raw, nullptr) != SQLITE_OK)
    return error(sql);
  return Statement(raw);
}

std::int64_t Database::last_row() const noexcept {
  return sqlite3_last_insert_rowid(database_.get());
}

int Database::changes() const noexcept { return sqlite3_changes(database_.get()); }

Error Database::error(std::string_view doing) const {
  return invalid("{}: {}: {}", file_, doing,
                 database_ ? sqlite3_errmsg(database_.get()) : "there is not enough memory");
}

bool Database::full() const noexcept {
  const int code = sqlite3_errcode(database_.get()) & 0xff;
  return code == SQLITE_FULL || code == SQLITE_IOERR;
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

Statement& Statement::bind(int place, std::int64_t value) noexcept {
  sqlite3_bind_int64(statement_.get(), place, value);
  return *this;
}

Statement& Statement::bind(int place, double value) noexcept {
  sqlite3_bind_double(statement_.get(), place, value);
  return *this;
}

Statement& Statement::bind(int place, std::string_view text) noexcept {
  sqlite3_bind_text64(statement_.get(), place, text.data(), text.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_blob(int place, std::string_view bytes) noexcept {
  sqlite3_bind_blob64(statement_.get(), place, bytes.data(), bytes.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind_null(int place) noexcept {
  sqlite3_bind_null(statement_.get(), place);
  return *this;
}

Statement& Statement::bind_column(int place, const Statement& row, int column) noexcept {
  sqlite3_bind_value(statement_.get(), place, sqlite3_column_value(row.statement_.get(), column));
  return *this;
}

int Statement::columns() const noexcept { return sqlite3_column_count(statement_.get()); }

Result<bool> Statement::step() {
  if (!statement_) return broken_;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return invalid("{}: {}", sqlite3_sql(statement_.get()),
                 sqlite3_errmsg(sqlite3_db_handle(statement_.get())));
}

Result<void> Statement::run() {
  const auto stepped = step();
  reset();
  if (!stepped) return stepped.error();
  return {};
}

void Statement::reset() noexcept { sqlite3_reset(statement_.get()); }

std::int64_t Statement::integer(int column) const noexcept {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const noexcept {
  return sqlite3_column_double(statement_.get(), column);
}

std::string_view Statement::text(int column) const noexcept {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, size);
}

bool Statement::null(int column) const noexcept {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

}  // namespace phe::serve
