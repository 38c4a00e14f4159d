// The event store in SQLite (docs/service.md has its format): one file per application, in WAL
// mode.
#pragma once

#include <filesystem>
#include <memory>

#include "serve/event_store.hpp"
#include "serve/sqlite.hpp"

namespace phe::serve {

// What a commit promises. `commit`: it is on disk, also when the power fails. `async`: it survives
// the end of the program however that comes, but not that of the machine.
enum class Durability { commit, async };

inline constexpr int store_format = 1;
extern const std::string_view sqlite_schema;

Result<std::unique_ptr<Replica>> open_sqlite_store(const std::filesystem::path& file,
                                                   Durability durability);
// The file must be there. Only a reader with write access can tidy.
Result<std::unique_ptr<EventReader>> open_sqlite_reader(
    const std::filesystem::path& file, Database::Access access = Database::Access::read);

}  // namespace phe::serve
