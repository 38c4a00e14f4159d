// Joining results folders: runs that were done apart, by problem, policy or instance, finished or
// not.
#pragma once

#include <filesystem>
#include <vector>

#include "phe/result.hpp"
#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"
#include "record/manifest.hpp"

namespace phe {

struct Merged {
  JournalHeader header = {};  // of all problems, policies and instances together
  FileLocator locate = {};    // finds the experiment's files among the folders' copies of them
  Runs runs = {};
  Machine machine = {};  // all machines' names, as their manifests have them
};

// All runs of the folders. A run that two of them have must be the same in both. Refuses folders of
// different rounds, seeds, checkpoints, columns, draws or contents of files; the error names the
// folder.
Result<Merged> merge_folders(const std::vector<std::filesystem::path>& folders);

// The plan of all runs, read from the folders' copies of its files. Refuses copies that are no
// longer what the runs were done with.
Result<Plan> plan_of(const Merged& merged, const Registry& registry);

}  // namespace phe
