// Figures: a gnuplot script that holds its own data, drawn as SVG and PNG.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phe/result.hpp"
#include "report/palette.hpp"

namespace phe::report {

// The colours of lines in order of use.
inline constexpr const char* palette[] = {blue, vermilion, green, purple, orange, sky_blue, black};
inline const char* colour(std::size_t i) noexcept {
  return palette[i % (sizeof(palette) / sizeof(palette[0]))];
}

// `text` as a gnuplot string in double quotes, its markup switched off.
std::string quoted(const std::string& text);

// Runs gnuplot in `folder`; what it prints is part of the error when it fails. When there is no
// gnuplot the error says which package has it.
Result<void> run_gnuplot(const std::filesystem::path& folder, std::vector<std::string> arguments);

// Writes name.gp into `folder`, which is made when missing, and from it name.svg and name.png.
// `plot` is a script that ends in one plot command; terminal and output are added. When gnuplot is
// missing or fails the error says so, and name.gp is there.
Result<void> draw(const std::filesystem::path& folder, const std::string& name,
                  const std::string& plot);

}  // namespace phe::report
