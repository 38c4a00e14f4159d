// What every rank but 0 does: runs, as they come.
#pragma once

namespace phe::mpi {

// Serves rank 0 until that says quit.
void serve();

}  // namespace phe::mpi
