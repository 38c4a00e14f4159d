// Spool: messages that wait on this node's disk until the shared store takes them. What was added
// is there after a crash of the node, as far as its durability promises.
//
// One thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "serve/sqlite_store.hpp"
#include "serve/statements.hpp"
#include "serve/stream_entry.hpp"

namespace phe::serve {

class Spool {
 public:
  static Result<std::unique_ptr<Spool>> open(const std::filesystem::path& file,
                                             Durability durability);

  // All or none.
  Result<void> add(std::span<const Message* const> messages);
  struct Waiting {
    std::int64_t number = 0;
    Message message;
  };
  // The oldest, at most `most`.
  Result<std::vector<Waiting>> oldest(int most);
  Result<void> remove_up_to(std::int64_t number);
  // What a rank that waits was answered with.
  Result<std::optional<std::string>> answer(std::string_view event);
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }

 private:
  explicit Spool(Database database) : database_(std::move(database)), sql_(database_) {}
  Result<void> count();

  Database database_;
  Statements sql_;
  std::int64_t size_ = 0;
};

}  // namespace phe::serve
