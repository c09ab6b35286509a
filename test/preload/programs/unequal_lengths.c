// SPDX-License-Identifier: MIT
// Ranks that disagree about the length of a call, an error of theirs: it is reported as such, on one rank at least, and
// nobody waits for ever. `unequal_lengths fatal`: in one call, whose error ends the program.
#include "check.h"

static void disagree(enum collective c, int longer_rank) {
  int64_t mine[8] = {0}, result[8] = {0};
  int class, classes[2] = {MPI_SUCCESS, MPI_SUCCESS};
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  use_up_first_calls(comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Error_class(call_by(c, mine, result, rank == longer_rank ? 8 : 5, 0, MPI_SUM, comm), &class);
  MPI_Send(&class, 1, MPI_INT, 0, c, MPI_COMM_WORLD);
  for (int r = 0; rank == 0 && r < 2; ++r) MPI_Recv(&classes[r], 1, MPI_INT, r, c, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) {
    expect(classes[0] == MPI_ERR_TRUNCATE || classes[1] == MPI_ERR_TRUNCATE, "nobody got MPI_ERR_TRUNCATE");
    for (int r = 0; r < 2; ++r) expect(classes[r] == MPI_SUCCESS || classes[r] == MPI_ERR_TRUNCATE, "another error");
  }
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc > 1) {
    int64_t mine[8] = {0}, result[8];
    use_up_first_calls(MPI_COMM_WORLD);
    call_by(allreduce, mine, result, rank == 1 ? 8 : 5, 0, MPI_SUM, MPI_COMM_WORLD);
    return finish();
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int c = 0; c < collective_count; ++c) {
    for (int longer_rank = 0; longer_rank < 2 && has_input(c, 0, 0); ++longer_rank) disagree(c, longer_rank);
    end_section(collective_names[c]);
  }
  return finish();
}
