// Copies of a data folder, by SQLite's online back-up: also while a server writes it.
#pragma once

#include <filesystem>

#include "phe/result.hpp"

namespace phe::serve {

// A copy of one database as it is at one moment; whoever writes it goes on. `to` is on disk when it
// returns.
Result<void> copy_database(const std::filesystem::path& from, const std::filesystem::path& to);

// All databases of a data folder: a data folder too, which a server can be started on. `to` must
// not be there; it appears when it is whole. How many databases it has.
Result<int> copy_data_folder(const std::filesystem::path& from, const std::filesystem::path& to);

// Whether SQLite finds nothing wrong with a database, or what.
Result<void> check_database(const std::filesystem::path& file);

}  // namespace phe::serve
