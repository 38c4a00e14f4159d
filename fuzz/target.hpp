// What every fuzz target is made of: check() takes an input and stops the program when a promise
// of the library is broken. Sanitizers and assertions watch over the rest.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace phe::fuzz {

// Defined once a target, called for each input by target.cpp.
void check(std::string_view input);

inline void demand(bool kept, std::string_view promise) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()), promise.data());
  std::abort();
}

// Of every Result that is an error: the message is there, and is one line.
inline void demand_one_line(std::string_view message) {
  demand(!message.empty(), "an error says what is wrong");
  demand(message.find('\n') == std::string_view::npos, "an error is one line");
}

}  // namespace phe::fuzz
