// Where a results folder stands, told from its files alone: whoever writes it, wherever.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "phe/result.hpp"
#include "record/journal_reader.hpp"
#include "record/session.hpp"

namespace phe {

// One policy on one problem.
struct KindStatus {
  std::string problem;
  std::string policy;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  double seconds_per_run = 0.0;  // processor time; 0 when none is done
  double seconds_left = 0.0;  // of all its missing runs; as long as others take when none is done
};

struct FolderStatus {
  enum class State { finished, running, stopped, unknown };

  std::uint64_t done = 0;
  std::uint64_t total = 0;
  std::uint64_t damaged = 0;  // lines of the journal
  State state = State::unknown;
  std::optional<Session> session{};      // the last that did runs
  double idle = 0.0;                     // seconds since the journal was written to
  std::optional<double> rate{};          // runs per second of that session
  std::optional<double> seconds_left{};  // of wall time, if it goes on like that
  std::vector<KindStatus> kinds{};       // by problem and policy
  std::optional<std::size_t> slowest{};  // of the kinds
};

// `now` is in seconds since 1970, and so is `written`, when the journal was written to.
FolderStatus status_of(const JournalContents& journal, const std::optional<Session>& session,
                       double written, double now);
Result<FolderStatus> read_status(const std::filesystem::path& folder);

// The folder itself, or the results folders in it; itself where there are none, whose error then
// says what is missing.
std::vector<std::filesystem::path> results_folders(const std::filesystem::path& folder);

// "running", ..
std::string_view name_of(FolderStatus::State state) noexcept;

}  // namespace phe
