// The lines of runs.log, the journal of an experiment.
//
//   phe-runs 1 {"version":..,"problems":[..],"policies":[..],"rounds":..,..} #9c2f01aa
//   run 0 2 17 0.0123 1.5 2.25 3.125 #0badcafe
//
// First the header: the format, and one line of JSON that says which experiment this is. Then a
// line a finished run: problem, policy, instance, seconds, and the regret at each checkpoint, as
// the shortest decimals that read back as the same doubles. Each line ends with the CRC-32 of what
// stands before " #". Lines come in the order in which runs finished.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"
#include "phe/simulate.hpp"

namespace phe {

struct JournalHeader {
  std::string version;  // of the program: another one may compute other regrets
  Experiment experiment;
  std::vector<std::uint64_t> checkpoints;

  // That of runs of `plan` by this program.
  static JournalHeader of(const Plan& plan);
  // Whether a run of this experiment can have this identity and this many regrets.
  [[nodiscard]] bool admits(const RunResult& run) const noexcept;
};

// Lines end with a newline when encoded, and come without it to be decoded.
std::string encode(const JournalHeader& header);
std::string encode(const RunResult& run);
std::optional<JournalHeader> decode_header(std::string_view line);
std::optional<RunResult> decode_run(std::string_view line);

// The first difference, as "its rounds is 10000, this one's 500"; empty when there is none.
std::string difference(const JournalHeader& its, const JournalHeader& ours);

}  // namespace phe
