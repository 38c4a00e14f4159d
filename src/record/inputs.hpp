// inputs/: copies of the files that an experiment was read from. With them a results folder says
// by itself what was run, and can be merged where the files are not.
#pragma once

#include <filesystem>
#include <vector>

#include "phe/parameters.hpp"
#include "phe/result.hpp"
#include "record/journal_header.hpp"

namespace phe {

// Where the copy of a file is in a results folder: "inputs/9c2f01aa0badcafe-arms.csv".
std::filesystem::path input_copy(const std::filesystem::path& folder, const InputDigest& input);

// Copies the files, those that are not there yet. Refuses a file whose content is no longer the one
// that was read.
Result<void> keep_inputs(const std::filesystem::path& folder, const std::vector<InputFile>& files);

// Finds the inputs of `header` among the copies in `folders`.
FileLocator locator_in(std::vector<std::filesystem::path> folders, const JournalHeader& header);

}  // namespace phe
