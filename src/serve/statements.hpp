// Statements: prepared once, found again by their text.
#pragma once

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

  // What SQLite does not take, in a file that is not ours, is an error of its first step.
  Statement& operator()(std::string_view sql) {
    const auto at = prepared_.find(sql);
    if (at != prepared_.end()) return at->second;
    auto prepared = database_->prepare(sql);
    Statement statement = prepared ? std::move(prepared).value() : Statement(prepared.error());
    return prepared_.emplace(std::string(sql), std::move(statement)).first->second;
  }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  Database* database_;
  std::unordered_map<std::string, Statement, Hash, std::equal_to<>> prepared_;
};

}  // namespace phe::serve
