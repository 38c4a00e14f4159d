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
  Experiment experiment;  // that of all instances together
  Runs runs;
  Machine machine;  // all machines' names, as their manifests have them
};

// Refuses folders that are unfinished, of different experiments or versions, or whose instances
// overlap or leave a gap; the error names the folder.
Result<Merged> merge_folders(const std::vector<std::filesystem::path>& folders);

}  // namespace phe
