// Keys: which application a caller speaks for. Two at a time per application, so that one can be
// replaced while the other still works. Kept as keyed digests; a lost key cannot be read back.
//
// Thread-safe. Another process may change the keys: reload() sees it.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"
#include "serve/sqlite.hpp"
#include "serve/statements.hpp"

namespace phe::serve {

// What an application may be called: it names its file.
bool is_application_name(std::string_view name) noexcept;

class Keys {
 public:
  static Result<std::unique_ptr<Keys>> open(const std::filesystem::path& file);

  // The application of a key; empty where there is none.
  [[nodiscard]] std::string application_of(std::string_view key) const;
  [[nodiscard]] Result<std::vector<std::string>> applications();

  // Adds an application, if it is new, and a key of it: the given one or a random one, which it
  // returns. Refused when it has two.
  Result<std::string> add(std::string_view application, std::optional<std::string_view> key);
  // Removes the older (1) or the newer (2) key.
  Result<void> remove(std::string_view application, int which);
  // When each key of an application was made, the older one first.
  Result<std::vector<std::int64_t>> made(std::string_view application);

  // Reads the keys again if another process changed them; true when it did.
  Result<bool> reload();

 private:
  using Table = std::map<std::string, std::string>;  // digest to application

  explicit Keys(Database database) : database_(std::move(database)), sql_(database_) {}
  Result<void> begin();
  Result<void> read();
  Result<std::int64_t> version();

  mutable std::mutex mutex_;  // of the database
  Database database_;
  Statements sql_;
  std::string salt_;
  std::int64_t version_ = 0;
  std::atomic<std::shared_ptr<const Table>> table_;
};

}  // namespace phe::serve
