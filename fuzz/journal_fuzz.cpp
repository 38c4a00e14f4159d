// The journal of runs. The first byte says what the rest is:
//   s  lines that get their right checksums here, so that the fuzzer sees behind them
//   d  two bytes, after which a good journal is cut, and what follows it then
// and anything else: a journal as it is. No bytes may crash the reader, every run before the damage
// is kept, and what was read survives being written again.
#include <algorithm>

#include <fmt/format.h>

#include "memory_file.hpp"
#include "record/journal_reader.hpp"
#include "support/crc32.hpp"
#include "target.hpp"

namespace phe::fuzz {

namespace {

std::string encoded(const JournalContents& contents) {
  std::string text = encode(contents.header);
  for (const auto& [id, run] : contents.runs) text += encode(run);
  return text;
}

void check_journal(std::string_view text) {
  const MemoryFile file(text);
  const auto contents = read_journal(file.path());
  demand(read_journal_header(file.path()).ok() == contents.ok(),
         "a journal reads if its header does");
  if (!contents) return demand_one_line(contents.error().message);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  demand(contents->runs.size() + contents->damaged_lines.size() < lines, "a run is a line");
  demand(contents->torn == !text.ends_with('\n'), "a line without its end is torn");

  const std::string again = encoded(contents.value());
  const auto reread = read_journal(MemoryFile(again).path());
  demand(reread && reread->damaged_lines.empty() && !reread->torn, "what is written is whole");
  demand(encoded(reread.value()) == again, "a journal survives a file");
}

std::string sealed(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    const auto line = lines.substr(0, end);
    text += fmt::format("{} #{:08x}\n", line, crc32(line));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}

JournalContents good_journal() {
  JournalContents contents;
  contents.header.version = "1";
  contents.header.experiment = {.problems = {"linear"}, .policies = {"linphe", "linucb"}};
  contents.header.problem_names = {"linear"};
  contents.header.policy_names = {"linphe", "linucb"};
  contents.header.checkpoints = {5000, 10000};
  for (std::uint64_t instance = 0; instance < 4; ++instance)
    for (std::size_t policy = 0; policy < 2; ++policy) {
      const RunId id{0, policy, instance};
      contents.runs[id] = {id, {1.5, 0.1 * static_cast<double>(instance)}, 0.25};
    }
  return contents;
}

void check_damaged(std::string_view input) {
  static const JournalContents good = good_journal();
  static const std::string text = encoded(good);
  if (input.size() < 2) return;
  const auto byte = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(input[i])};
  };
  const std::size_t cut = (byte(0) * 256 + byte(1)) % (text.size() + 1);
  const std::string damaged = text.substr(0, cut).append(input.substr(2));
  check_journal(damaged);

  const auto contents = read_journal(MemoryFile(damaged).path());
  std::size_t end = encode(good.header).size();
  if (cut < end) return;
  demand(contents.ok(), "a journal reads when its header is whole");
  for (const auto& [id, run] : good.runs) {
    end += encode(run).size();
    if (cut < end) return;
    const auto kept = contents->runs.find(id);
    demand(kept != contents->runs.end() && encode(kept->second) == encode(run),
           "a run before the damage is kept");
  }
}

}  // namespace

void check(std::string_view input) {
  const char kind = input.empty() ? '\0' : input.front();
  if (kind == 's')
    check_journal(sealed(input.substr(1)));
  else if (kind == 'd')
    check_damaged(input.substr(1));
  else
    check_journal(input);
}

}  // namespace phe::fuzz
