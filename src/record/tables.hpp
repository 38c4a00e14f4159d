// The files of a results folder that other programs read. They depend on the experiment alone: not
// on threads, the order of runs, or interruptions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phe/simulate.hpp"
#include "record/curves.hpp"
#include "record/journal_reader.hpp"

namespace phe {

inline constexpr std::string_view regret_csv_header =
    "problem,d,arms,policy,round,instances,mean_regret,std_err";
inline constexpr std::string_view runs_csv_header = "problem,d,arms,policy,instance,round,regret";

// A row per curve and checkpoint: mean pseudo-regret over instances and its standard error; then,
// as the experiment's columns ask, mean_reward, reward_std_err and mean_best_pulls,
// best_pulls_std_err.
std::string regret_csv(const Plan& plan, const std::vector<Curve>& curves);
// A row per run and checkpoint: its pseudo-regret; then reward and best_pulls, as the columns ask.
std::string runs_csv(const Plan& plan, const Runs& runs);

// `text`, quoted when a comma, quote or line break requires it (RFC 4180).
std::string csv_field(std::string_view text);

}  // namespace phe
