// A snapshot of an event log in SQLite: a small database of the same tables, as bytes. It has the
// documents, the stored model, and the events that are open or that the model has yet to learn.
#pragma once

#include <string>
#include <string_view>

#include "phe/result.hpp"
#include "serve/sqlite.hpp"

namespace phe::serve {

// Sees what was committed, and keeps nobody from writing.
Result<std::string> take_snapshot(Database& log);
// Within a transaction of `log`: everything in it is replaced.
Result<void> restore_snapshot(std::string_view snapshot, Database& log);

}  // namespace phe::serve
