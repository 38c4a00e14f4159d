// The same work on several threads at once.
#pragma once

#include <functional>

namespace phe {

// Calls `work` on this thread and on up to `threads` - 1 others, as many as the system allows, and
// returns when all calls have. `work` shares out what there is to do by itself, and does not throw.
void on_threads(unsigned threads, const std::function<void()>& work);

}  // namespace phe
