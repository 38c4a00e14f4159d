#include "same_program.hpp"

#include <fmt/format.h>

#include "output.hpp"
#include "support/sha256.hpp"
#include "support/text.hpp"
#include "wire.hpp"
#include <phe/version.hpp>

namespace phe::mpi {

namespace {

std::string program_digest() {
  const auto content = read_file("/proc/self/exe");
  return content ? sha256(content.value()) : "unknown";
}

// "9c2f.. rank 3 on node07, phe 0.1.0"
std::string card() { return fmt::format("{} {}, phe {}", program_digest(), this_rank(), version); }

std::string digest(const std::string& card) { return card.substr(0, card.find(' ')); }
std::string owner(const std::string& card) { return card.substr(card.find(' ') + 1); }

bool all_equal(const std::vector<std::string>& cards) {
  for (const std::string& other : cards) {
    if (digest(other) == digest(cards.front())) continue;
    app::tell(fmt::format(
        "{} runs another phe-mpi than {} (SHA-256 {:.16}.. and {:.16}..); start the same on all "
        "ranks",
        owner(other), owner(cards.front()), digest(other), digest(cards.front())));
    return false;
  }
  return true;
}

}  // namespace

bool all_run_the_same_program() {
  const auto cards = gathered(card());
  return agreed(rank() != 0 || all_equal(cards) ? 1 : 0) == 1;
}

}  // namespace phe::mpi
