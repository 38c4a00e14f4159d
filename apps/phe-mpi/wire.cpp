#include "wire.hpp"

#include <array>
#include <bit>

#include <fmt/format.h>
#include <mpi.h>

namespace phe::mpi {

namespace {

std::string host() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), static_cast<std::size_t>(length)};
}

int count_of(const Waiting& message, MPI_Datatype type) {
  MPI_Status status;
  MPI_Probe(message.from, static_cast<int>(message.tag), MPI_COMM_WORLD, &status);
  int count = 0;
  MPI_Get_count(&status, type, &count);
  return count;
}

}  // namespace

int rank() {
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return number;
}

int ranks() {
  int number = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  return number;
}

std::string this_rank() { return fmt::format("rank {} on {}", rank(), host()); }

void send(int to, Tag tag, const std::string& text) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, static_cast<int>(tag),
           MPI_COMM_WORLD);
}

void send(int to, Tag tag, const std::vector<std::uint64_t>& words) {
  MPI_Send(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, to, static_cast<int>(tag),
           MPI_COMM_WORLD);
}

std::optional<Waiting> probe(std::optional<int> from) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(from.value_or(MPI_ANY_SOURCE), MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  return Waiting{status.MPI_SOURCE, static_cast<Tag>(status.MPI_TAG)};
}

std::string receive_text(const Waiting& message) {
  std::string text(static_cast<std::size_t>(count_of(message, MPI_CHAR)), '\0');
  MPI_Recv(text.data(), static_cast<int>(text.size()), MPI_CHAR, message.from,
           static_cast<int>(message.tag), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return text;
}

std::vector<std::uint64_t> receive_words(const Waiting& message) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(count_of(message, MPI_UINT64_T)));
  MPI_Recv(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, message.from,
           static_cast<int>(message.tag), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return words;
}

std::string await_text(int from, Tag tag) { return receive_text({from, tag}); }

std::vector<std::string> gathered(const std::string& text) {
  constexpr std::size_t longest = 512;
  std::array<char, longest> mine{};
  text.copy(mine.data(), longest - 1);
  std::vector<char> all(rank() == 0 ? longest * static_cast<std::size_t>(ranks()) : 0);
  MPI_Gather(mine.data(), longest, MPI_CHAR, all.data(), longest, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size(); at += longest) texts.emplace_back(&all[at]);
  return texts;
}

int agreed(int number) {
  MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return number;
}

std::vector<std::uint64_t> words_of(const std::vector<RunId>& ids) {
  std::vector<std::uint64_t> words;
  for (const auto& [problem, policy, instance] : ids) {
    words.push_back(problem);
    words.push_back(policy);
    words.push_back(instance);
  }
  return words;
}

std::vector<RunId> ids_from(const std::vector<std::uint64_t>& words) {
  std::vector<RunId> ids;
  for (std::size_t i = 0; i + 3 <= words.size(); i += 3)
    ids.push_back({words[i], words[i + 1], words[i + 2]});
  return ids;
}

// Problem, policy, instance, seconds, the sizes of the three lists, and the lists.
void append(const RunResult& run, std::vector<std::uint64_t>& words) {
  const auto& [problem, policy, instance] = run.id;
  for (const std::uint64_t word :
       {std::uint64_t{problem}, std::uint64_t{policy}, instance,
        std::bit_cast<std::uint64_t>(run.seconds), std::uint64_t{run.regret.size()},
        std::uint64_t{run.reward.size()}, std::uint64_t{run.best_pulls.size()}})
    words.push_back(word);
  for (const double value : run.regret) words.push_back(std::bit_cast<std::uint64_t>(value));
  for (const double value : run.reward) words.push_back(std::bit_cast<std::uint64_t>(value));
  words.insert(words.end(), run.best_pulls.begin(), run.best_pulls.end());
}

std::vector<RunResult> results_from(const std::vector<std::uint64_t>& words) {
  std::vector<RunResult> results;
  auto word = words.begin();
  while (word != words.end()) {
    RunResult run;
    run.id = {word[0], word[1], word[2]};
    run.seconds = std::bit_cast<double>(word[3]);
    const auto regrets = word[4];
    const auto rewards = word[5];
    const auto pulls = static_cast<std::ptrdiff_t>(word[6]);
    word += 7;
    for (std::uint64_t i = 0; i < regrets; ++i)
      run.regret.push_back(std::bit_cast<double>(*word++));
    for (std::uint64_t i = 0; i < rewards; ++i)
      run.reward.push_back(std::bit_cast<double>(*word++));
    run.best_pulls.assign(word, word + pulls);
    word += pulls;
    results.push_back(std::move(run));
  }
  return results;
}

}  // namespace phe::mpi
