// The lines of runs.log, the journal of an experiment.
//
//   phe-runs 2 {"version":..,"draws":..,"problems":[..],"policies":[..],"rounds":..,..} #9c2f01aa
//   run 0 2 17 0.0123 1.5 2.25 3.125 #0badcafe
//
// First the header: the format, and one line of JSON that says which experiment this is
// (journal_header.hpp). Then a line per finished run: problem, policy, instance, seconds, and the
// regret at each checkpoint, as the shortest decimals that read back as the same doubles; then, for
// each optional column, its name and as many numbers:
//
//   run 0 2 17 0.0123 1.5 2.25 3.125 reward 1 3 4 best_pulls 0 1 2 #0badcafe
//
// Each line ends with the CRC-32 of what stands before " #". Lines come in the order in which runs
// finished.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "phe/simulate.hpp"
#include "record/journal_header.hpp"

namespace phe {

// Raised when a line's meaning changes. Format 1 did not tell the contents of files and the
// revision of the draws, so what it holds cannot be told apart from something else. Format 3 has
// optional columns; a journal without them is still written, and read, as format 2.
inline constexpr std::uint64_t journal_format = 3;
inline constexpr std::uint64_t oldest_journal_format = 2;

// Lines end with a newline when encoded, and come without it to be decoded.
std::string encode(const JournalHeader& header);
std::string encode(const RunResult& run);
std::optional<JournalHeader> decode_header(std::string_view line);
// The format that a whole header line is of, if it is one at all.
std::optional<std::uint64_t> format_of_header(std::string_view line);
std::optional<RunResult> decode_run(std::string_view line);

}  // namespace phe
