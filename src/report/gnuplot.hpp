// Figures: a gnuplot script that holds its own data, drawn as SVG and PNG.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe::report {

// `text` as a gnuplot string, its markup switched off. Single quotes: within double ones gnuplot
// would run what stands between backquotes.
std::string quoted(std::string_view text);

// Runs gnuplot in `folder`; what it prints is part of the error when it fails. When there is no
// gnuplot the error says which package has it.
Result<void> run_gnuplot(const std::filesystem::path& folder, std::vector<std::string> arguments);

// Writes name.gp into `folder`, which is made when missing, and from it name.svg and name.png.
// `plot` is a script that ends in one plot command; terminal and output are added. When gnuplot is
// missing or fails the error says so, and name.gp is there.
Result<void> draw(const std::filesystem::path& folder, const std::string& name,
                  const std::string& plot);

}  // namespace phe::report
