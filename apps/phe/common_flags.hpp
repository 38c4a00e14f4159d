// Flags that several commands have: declared once, read once. An option that is given twice has its
// last value, in every command (describe() sees to that).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "spec/numbers.hpp"
#include <phe/result.hpp>

namespace phe::app {

// A value as it was typed, so that a bad one is told in our own words.
using Typed = std::optional<std::string>;

void add_seed(CLI::App& command, Typed& into);
void add_threads(CLI::App& command, Typed& into);
void add_quiet(CLI::App& command, bool& into);

// One per core, unless it was set.
unsigned default_threads();
void set_default_threads(unsigned threads);

// Sets `into` when the flag was given.
template <class Count>
Result<void> read_count(const char* flag, CountRange range, const Typed& typed, Count& into) {
  if (!typed) return {};
  const auto value = count_in(flag, range, *typed);
  if (!value) return value.error();
  into = static_cast<Count>(value.value());
  return {};
}

}  // namespace phe::app
