// Joining results folders: the same experiment, its instances done on several machines.
#pragma once

#include <filesystem>
#include <vector>

#include "phe/result.hpp"
#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"
#include "record/manifest.hpp"

namespace phe {

struct Merged {
  JournalHeader header = {};  // that of all instances together
  FileLocator locate = {};    // finds the experiment's files among the folders' copies of them
  Runs runs = {};
  Machine machine = {};  // all machines' names, as their manifests have them
};

// Refuses folders that are unfinished, of different experiments or draws, or whose instances
// overlap or leave a gap; the error names the folder.
Result<Merged> merge_folders(const std::vector<std::filesystem::path>& folders);

// The plan of all instances, read from the folders' copies of its files. Refuses copies that are no
// longer what the runs were done with.
Result<Plan> plan_of(const Merged& merged, const Registry& registry);

}  // namespace phe
