// Whether all ranks run the same program.
#pragma once

namespace phe::mpi {

// Compares the digests of the ranks' programs. Rank 0 tells which one differs. All ranks must call
// it, and get the same answer.
bool all_run_the_same_program();

}  // namespace phe::mpi
