// phe-mpi: phe over the ranks of an MPI job. Rank 0 is the program, with its files, output and exit
// code; the others do runs for it.
#include <exception>

#include <fmt/format.h>
#include <mpi.h>

#include "common_flags.hpp"
#include "coordinator.hpp"
#include "interrupt.hpp"
#include "main_program.hpp"
#include "output.hpp"
#include "runner.hpp"
#include "same_program.hpp"
#include "wire.hpp"
#include "worker.hpp"

namespace {

int run_as_program(int argc, char** argv) {
  if (phe::mpi::ranks() > 1) {
    phe::app::runner() = {phe::mpi::simulate_on_ranks, true};
    phe::app::set_default_threads(1);
    // Said by the signal itself: MPI leaves little time to a job that it ends.
    phe::app::set_interrupt_note(
        "phe: the job was asked to end, or a rank died; runs in the --out folder stay, and the "
        "same "
        "command goes on\n");
  }
  const int exit_code = phe::app::run_program(argc, argv);
  if (phe::mpi::left_behind()) MPI_Abort(MPI_COMM_WORLD, exit_code);
  for (int worker = 1; worker < phe::mpi::ranks(); ++worker)
    phe::mpi::send(worker, phe::mpi::Tag::quit, std::string());
  return exit_code;
}

int run_as_worker() try {
  phe::mpi::serve();
  return phe::app::exit_done;
} catch (const std::exception& error) {
  phe::app::tell(fmt::format("{}: {}", phe::mpi::this_rank(), error.what()));
  MPI_Abort(MPI_COMM_WORLD, phe::app::exit_failed);
  return phe::app::exit_failed;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);  // this thread alone talks
  int exit_code = phe::app::exit_bad_input;
  if (phe::mpi::all_run_the_same_program())
    exit_code = phe::mpi::rank() == 0 ? run_as_program(argc, argv) : run_as_worker();
  MPI_Finalize();
  return exit_code;
}
