// The features of a rank request with their names, which RankRequestParser hashes and forgets. Slow
// and plain: for those who want to read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe::serve {

struct NamedFeature {
  std::string name;  // "device=mobile", "user.age"
  double value = 0.0;
};

struct NamedRequest {
  std::vector<NamedFeature> context;
  std::vector<std::vector<NamedFeature>> actions;  // each with "id=.."
};

// Of a request that was accepted.
Result<NamedRequest> named_features(std::string_view request);

}  // namespace phe::serve
