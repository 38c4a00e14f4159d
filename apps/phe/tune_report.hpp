// What phe tune found, for people, for programs and as a page.
#pragma once

#include <string>

#include "tune/tune.hpp"

namespace phe::app {

struct TuneReport {
  const tune::Request* request = nullptr;
  const tune::Tuned* tuned = nullptr;
  std::string command;  // that tunes the same again
};

std::string tune_text(const TuneReport& report);
std::string tune_json(const TuneReport& report);
// Regret against the parameter, a line per range: a script for report::draw.
std::string tune_plot(const tune::Tuned& tuned);
// One page that needs no other file; `svg` may be empty.
std::string tune_page(const TuneReport& report, const std::string& svg);

}  // namespace phe::app
