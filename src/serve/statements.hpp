// Statements: prepared once, found again by their text.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>

#include "serve/sqlite.hpp"

namespace phe::serve {

// Resets a statement that was read from, when the reader goes.
struct Reset {
  Statement& statement;
  ~Reset() { statement.reset(); }
};

class Statements {
 public:
  explicit Statements(Database& database) : database_(&database) {}

  // A text that SQLite does not take is a bug: all of them are constants of ours.
  Statement& operator()(std::string_view sql) {
    const auto at = prepared_.find(sql);
    if (at != prepared_.end()) return at->second;
    auto statement = database_->prepare(sql);
    return prepared_.emplace(std::string(sql), std::move(statement).value()).first->second;
  }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  Database* database_;
  std::unordered_map<std::string, Statement, Hash, std::equal_to<>> prepared_;
};

}  // namespace phe::serve
