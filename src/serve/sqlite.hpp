// SQLite with errors as values: a connection, and prepared statements that are used again.
//
// One thread at a time per Database, with all of its statements.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "phe/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace phe::serve {

class Statement;

class Database {
 public:
  enum class Access { write, read };
  // Write access makes the file where there is none.
  static Result<Database> open(const std::filesystem::path& file, Access access);
  // In memory, with the content of a file; and back.
  static Result<Database> of_bytes(std::string_view bytes);
  // Of an attached database, or "main".
  [[nodiscard]] Result<std::string> bytes(const char* schema) const;

  // One or more statements without results.
  Result<void> run(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);
  [[nodiscard]] std::int64_t last_row() const noexcept;
  // Rows that the last statement changed.
  [[nodiscard]] int changes() const noexcept;
  [[nodiscard]] Error error(std::string_view doing) const;
  // Whether the last error was that there is no room.
  [[nodiscard]] bool full() const noexcept;

 private:
  struct Close {
    void operator()(sqlite3* database) const noexcept;
  };
  explicit Database(sqlite3* database, std::string file)
      : database_(database), file_(std::move(file)) {}

  std::unique_ptr<sqlite3, Close> database_;
  std::string file_;
};

// Values are bound from 1, columns read from 0. What a column returns lives until the next step.
class Statement {
 public:
  // One that could not be prepared: every step gives this error.
  explicit Statement(Error broken) : broken_(std::move(broken)) {}

  Statement& bind(int place, std::int64_t value) noexcept;
  Statement& bind(int place, double value) noexcept;
  Statement& bind(int place, std::string_view text) noexcept;  // not copied: must outlive the step
  Statement& bind_blob(int place, std::string_view bytes) noexcept;  // likewise
  Statement& bind_null(int place) noexcept;
  // The value of a column of another statement's row.
  Statement& bind_column(int place, const Statement& row, int column) noexcept;
  [[nodiscard]] int columns() const noexcept;

  // True when there is a row to read.
  Result<bool> step();
  // For statements without a row. Resets.
  Result<void> run();
  void reset() noexcept;

  [[nodiscard]] std::int64_t integer(int column) const noexcept;
  [[nodiscard]] double real(int column) const noexcept;
  [[nodiscard]] std::string_view text(int column) const noexcept;
  [[nodiscard]] bool null(int column) const noexcept;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;  // null: broken
  Error broken_;
};

}  // namespace phe::serve
