// History files: any bytes give a history or a message. A history survives being written and read
// again, and LinPHE and LogPHE either refuse it or go on from it.
#include "memory_file.hpp"
#include "phe/history.hpp"
#include "phe/lin_phe.hpp"
#include "phe/log_phe.hpp"
#include "target.hpp"

namespace phe::fuzz {

namespace {

// A file may ask for 10^8 rows, which is valid but slow: here for at most 5 digits of them.
bool few_rows(std::string_view input) {
  const auto line = input.find("rows ");
  return line == std::string_view::npos || input.substr(line + 5).find('\n') < 6;
}

template <class Concrete>
void go_on(Result<Concrete> policy) {
  if (!policy) return demand_one_line(policy.error().message);
  Rng rng(1);
  for (int round = 0; round < 4; ++round)
    demand(policy->update(policy->select(rng), round % 2).ok(), "0 and 1 are rewards");
}

}  // namespace

void check(std::string_view input) {
  if (!few_rows(input)) return;
  const auto history = History::load(MemoryFile(input).path());
  if (!history) return demand_one_line(history.error().message);
  const std::string text = history->to_text();
  const auto again = History::load(MemoryFile(text).path());
  demand(again && again.value() == history.value(), "a history survives a file");

  History twice = history.value();
  demand(twice.merge(history.value()).ok(), "histories of the same rows add up");
  demand(twice.total_pulls() == 2 * history->total_pulls(), "pulls add up");

  if (history->rows() < 1 || history->rows() > 64) return;
  const auto arms = Arms::generate(history->rows(), 3, [](std::size_t arm, std::size_t feature) {
    return static_cast<double>((arm * 7 + feature * 3) % 5);
  });
  go_on(LinPhe::create(arms.value(), {}, history.value()));
  go_on(LogPhe::create(arms.value(), {}, history.value()));
}

}  // namespace phe::fuzz
