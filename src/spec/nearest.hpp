// nearest: the name that a mistyped one was probably meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace phe {

// Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other;
// upper and lower case count as equal.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate with the fewest edits; empty when none is close (more than a third of it differs).
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// "; did you mean 'ridge'?", or nothing.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace phe
