// JournalHeader: which experiment a journal is of.
//
// The identity of a run is all that decides its bytes: its problem, with the content of the files
// that is read from, its policy, its instance, and what all runs of a journal have in common:
// rounds, seed, checkpoints, columns and the revision of the draws. Where files lie, the version of
// the program and the machine do not belong to it. Journals may differ in their problems, policies
// and instances and still fit together (renumber.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "phe/simulate.hpp"
#include "record/experiment_json.hpp"

namespace phe {

// A file that was read, as it was named, and its content.
struct InputDigest {
  std::string name;
  std::string sha256;
};

struct JournalHeader {
  std::string version = {};  // of the program that began the journal; only told
  std::uint64_t draws = 0;   // phe::draw_revision
  Experiment experiment = {};
  std::vector<std::string> problem_names = {};  // canonical: a file stands by its digest
  std::vector<std::string> policy_names = {};   // the same; older journals have the texts as typed
  std::vector<InputDigest> inputs = {};         // in the order in which they are named
  std::vector<std::uint64_t> checkpoints = {};

  // That of runs of `plan` by this program.
  static JournalHeader of(const Plan& plan);
  // Whether a run of this experiment can have this identity and this many regrets.
  [[nodiscard]] bool admits(const RunResult& run) const noexcept;
};

Json to_json(const JournalHeader& header);
// Nothing when a key is missing or of another type.
std::optional<JournalHeader> header_from_json(const Json& json);

// The first difference in what their runs have in common, as "its rounds is 10000, this one's 500",
// or a file of the same name with another content; empty when there is none.
std::string difference(const JournalHeader& its, const JournalHeader& ours);

}  // namespace phe
