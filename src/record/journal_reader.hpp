// Reading runs.log back: what resume, merge and reports start from.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "phe/result.hpp"
#include "record/journal_line.hpp"

namespace phe {

// Finished runs in the order of Plan::runs().
using Runs = std::map<RunId, RunResult>;

struct JournalContents {
  JournalHeader header;
  Runs runs;
  // Lines (from 1) whose checksum or contents are wrong; their runs are not in `runs`.
  std::vector<std::size_t> damaged_lines;
  // The last line has no end: the writer was killed in the middle of it. Not among `runs`.
  bool torn = false;
};

// Fails when the file cannot be read or does not start with a header of this format.
Result<JournalContents> read_journal(const std::filesystem::path& file);
// The header alone, without reading the runs.
Result<JournalHeader> read_journal_header(const std::filesystem::path& file);

}  // namespace phe
