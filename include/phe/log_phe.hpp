// LogPhe by its own name; it is defined beside its relatives.
#pragma once

#include "phe/glm_phe.hpp"

namespace phe {

using LogPheOptions = GlmPheOptions;

}  // namespace phe
