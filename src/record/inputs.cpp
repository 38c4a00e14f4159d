#include "record/inputs.hpp"

#include <algorithm>
#include <system_error>

#include "support/error.hpp"
#include "support/sha256.hpp"
#include "support/text.hpp"

namespace phe {

namespace fs = std::filesystem;

namespace {

Result<void> keep(const fs::path& copy, const InputFile& file) {
  if (const auto kept = read_file(copy); kept && sha256(kept.value()) == file.sha256) return {};
  const auto content = read_file(file.path);
  if (!content) return content.error();
  if (sha256(content.value()) != file.sha256)
    return invalid("{}: has changed since it was read; start again", file.path.string());
  return write_file(copy, content.value());
}

}  // namespace

fs::path input_copy(const fs::path& folder, const InputDigest& input) {
  constexpr std::size_t longest = 100;  // of 255 bytes that a file name may have
  std::string name = fs::path(input.name).filename().string();
  if (name.size() > longest) name.erase(0, name.size() - longest);
  return folder / "inputs" / fmt::format("{:.16}-{}", input.sha256, name);
}

Result<void> keep_inputs(const fs::path& folder, const std::vector<InputFile>& files) {
  if (files.empty()) return {};
  std::error_code failed;
  fs::create_directories(folder / "inputs", failed);
  if (failed) return invalid("{}: {}", (folder / "inputs").string(), failed.message());
  for (const InputFile& file : files)
    if (auto kept = keep(input_copy(folder, {file.name, file.sha256}), file); !kept) return kept;
  return {};
}

FileLocator locator_in(std::vector<fs::path> folders, const JournalHeader& header) {
  return [folders = std::move(folders), inputs = header.inputs](const std::string& name) {
    const auto input = std::ranges::find(inputs, name, &InputDigest::name);
    if (input == inputs.end()) return fs::path(name);
    for (const fs::path& folder : folders) {
      std::error_code unknown;
      if (const fs::path copy = input_copy(folder, *input); fs::exists(copy, unknown)) return copy;
    }
    return input_copy(folders.front(), *input);
  };
}

}  // namespace phe
