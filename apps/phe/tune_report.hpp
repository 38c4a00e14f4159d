// What phe tune found, for people, for programs and as a page.
#pragma once

#include <string>
#include <vector>

#include "tune/tune.hpp"

namespace phe::app {

// What is compared, in words and numbers. Tuning knows losses alone: lower is better.
struct Measured {
  bool reward = false;  // of a log, higher is better; else regret

  [[nodiscard]] const char* name() const { return reward ? "mean reward" : "regret"; }
  [[nodiscard]] const char* best() const { return reward ? "highest" : "lowest"; }
  [[nodiscard]] const char* better() const { return reward ? "more" : "less"; }
  [[nodiscard]] const char* unit() const { return reward ? "halves" : "instances"; }
  // A loss as what it stands for.
  [[nodiscard]] double shown(double loss) const { return reward ? -loss : loss; }
  // An amount, or a difference of amounts.
  [[nodiscard]] std::string number(double amount) const;
  // "46.7 ± 1.8".
  [[nodiscard]] std::string with_error(const MeanAndError& loss) const;
};

struct TuneReport {
  const tune::Request* request = nullptr;
  const tune::Tuned* tuned = nullptr;
  std::string command;       // that tunes the same again
  std::string subject = {};  // what was tuned on
  Measured measured = {};
  std::vector<std::string> warnings = {};  // of the winner's estimate, on a log
};

std::string tune_text(const TuneReport& report);
std::string tune_json(const TuneReport& report);
// Regret, or reward, against the parameter, a line per range: a script for report::draw.
std::string tune_plot(const TuneReport& report);
// One page that needs no other file; `svg` may be empty.
std::string tune_page(const TuneReport& report, const std::string& svg);

}  // namespace phe::app
