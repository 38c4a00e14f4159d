// A model as a file: what GET /model gives and PUT /model takes.
//
//   "phe-model 1\n", a line of JSON {"policy", "dimension", "learnt"}, the policy's state
//   (docs/state.md), and 32 bytes: HMAC-SHA-256 of all before it, by the application's secret.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "phe/result.hpp"

namespace phe::serve {

struct ModelFile {
  std::string policy;
  std::size_t dimension = 0;
  std::int64_t learnt = 0;
  std::string state;
};

std::string write_model_file(const ModelFile& model, std::string_view secret);
Result<ModelFile> read_model_file(std::string_view bytes);
bool signed_by(std::string_view bytes, std::string_view secret);

}  // namespace phe::serve
