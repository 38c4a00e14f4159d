// The bytes of a saved policy (docs/state.md): a first line, what it was made of, its state, a
// checksum.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "phe/arms.hpp"
#include "phe/result.hpp"
#include "support/archive.hpp"

namespace phe {

using Parts = std::function<void(Archive&)>;

std::string saved_state(const Parts& identity, const Parts& state);
// Reads what saved_state wrote. An error says what is damaged, or in what the policies differ.
Result<void> load_state(std::string_view who, std::string_view bytes, const Parts& identity,
                        const Parts& state);
// Whether two policies, by their identities, were made alike.
Result<void> check_alike(std::string_view who, const Parts& theirs, const Parts& ours);

// Equal for equal features in the same order.
std::uint64_t digest_of(const Arms& arms);

}  // namespace phe
