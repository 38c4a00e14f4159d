// What phe verify says, for people, programs and gnuplot.
#pragma once

#include <string>

#include "bandit_flags.hpp"
#include "theory/verify.hpp"

namespace phe::app {

std::string verify_text(const Bandit& bandit, const theory::VerifyOptions& options,
                        const theory::VerifyReport& report);
std::string verify_json(const Bandit& bandit, const theory::VerifyOptions& options,
                        const theory::VerifyReport& report);
// Measured tails of the best arm's deviation, between Lemma 7 and Lemma 6.
std::string verify_plot(const Bandit& bandit, const theory::VerifyOptions& options,
                        const theory::VerifyReport& report);

}  // namespace phe::app
