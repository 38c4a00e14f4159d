// Messages between ranks. Rank 0 hands out; the others, the workers, answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <phe/simulate.hpp>

namespace phe::mpi {

enum class Tag : int {
  plan = 1,     // 0 -> worker: what is to be run from now on, as text
  ready = 2,    // worker -> 0: empty, or why it cannot
  work = 3,     // 0 -> worker: runs to do
  results = 4,  // worker -> 0: runs that are done
  failure = 5,  // worker -> 0: a run that failed, as text
  quit = 6,     // 0 -> worker
};

int rank();
int ranks();
// "rank 3 on node07".
std::string this_rank();

void send(int to, Tag tag, const std::string& text);
void send(int to, Tag tag, const std::vector<std::uint64_t>& words);

struct Waiting {
  int from;
  Tag tag;
};
// A message that has come, from anybody or from one rank; does not wait.
std::optional<Waiting> probe(std::optional<int> from = {});
std::string receive_text(const Waiting& message);
std::vector<std::uint64_t> receive_words(const Waiting& message);
// Waits for the message.
std::string await_text(int from, Tag tag);

// The text of every rank, on rank 0; empty elsewhere. All ranks must call it.
std::vector<std::string> gathered(const std::string& text);
// Rank 0's number, on all ranks.
int agreed(int number);

// Runs and results as words, one after the other.
std::vector<std::uint64_t> words_of(const std::vector<RunId>& ids);
std::vector<RunId> ids_from(const std::vector<std::uint64_t>& words);
void append(const RunResult& run, std::vector<std::uint64_t>& words);
std::vector<RunResult> results_from(const std::vector<std::uint64_t>& words);

}  // namespace phe::mpi
