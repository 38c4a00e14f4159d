// The same runs in two journals: an experiment that asks for more holds the runs of one that asks
// for less, under other numbers.
#pragma once

#include <string>

#include "record/journal_header.hpp"
#include "record/journal_reader.hpp"

namespace phe {

// The first thing that `its` has and `ours` does not ask for, as "policy lints" or "instances 0 to
// 99"; empty when there is none. Both must have the same runs in common: no difference().
std::string left_out(const JournalHeader& its, const JournalHeader& ours);

// Whether both ask for the same problems, policies and instances in the same order.
bool same_lists(const JournalHeader& its, const JournalHeader& ours);

// `ours` with what `its` asks for besides: its problems and policies at the end, and all instances
// from the first to the last of both.
JournalHeader united(const JournalHeader& ours, const JournalHeader& its);

// The runs of `its` as they are numbered in `ours`. Precondition: nothing is left out.
Runs renumbered(const Runs& runs, const JournalHeader& its, const JournalHeader& ours);

}  // namespace phe
