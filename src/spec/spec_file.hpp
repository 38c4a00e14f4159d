// Experiment files: TOML that says what to simulate.
//
//   problems = ["linear:d=10,arms=100"]      as for --problem
//   policies = ["linphe:a=1", "linphe:a=2"]  as for --policy
//   rounds = 10000
//   instances = 100
//   first_instance = 0
//   seed = 1
//   checkpoints = "log"  as for --checkpoints: a number, "all" or "log"
//   columns = ["reward", "best_pulls"]  recorded beside regret
//   threads = 4       any number gives the same results
//   out = "out/demo"  the results folder
//
// Every key may be left out. Names are not looked up here, Plan::create does that. Files that a
// problem names are looked for beside the experiment file; `out` starts where the program does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "phe/result.hpp"
#include "phe/simulate.hpp"

namespace phe {

struct SpecFile {
  Experiment experiment;
  std::optional<std::uint64_t> threads;
  std::optional<std::string> out;
  std::filesystem::path folder;  // that the file is in; empty for the present one

  // Looks for files there.
  [[nodiscard]] FileLocator locator() const;
};

// Errors are one line, `file:line:column: ...`, and name the key, the value and what is allowed.
Result<SpecFile> read_spec_file(const std::filesystem::path& file);
Result<SpecFile> parse_spec_file(std::string_view text, std::string_view file_name);

}  // namespace phe
