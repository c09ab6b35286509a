// SPDX-License-Identifier: MIT
// A receive from any source with any tag is open across every collective: only the program's own message matches it.
#include "../../checked_call.h"
#include "check.h"

static void across(enum collective c, int n, MPI_Comm comm) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  int64_t mine = rank, theirs = -1;
  int count;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&theirs, 1, MPI_INT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
  expect(is_right(c, n, n % size, comm), collective_names[c]);
  MPI_Send(&mine, 1, MPI_INT64_T, to, c, comm);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT64_T, &count);
  expect(theirs == from && status.MPI_SOURCE == from && status.MPI_TAG == (int)c && count == 1, "received");
}

int main(int argc, char** argv) {
  static const int lengths[] = {1, 8192, 131072};
  MPI_Comm comm;
  start(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);  // end_section's messages on MPI_COMM_WORLD would match as well
  use_up_first_calls(comm);
  for (int c = 0; c < collective_count; ++c) {
    for (int k = 0; k < 3; ++k) across(c, lengths[k], comm);
    end_section(collective_names[c]);
  }
  MPI_Comm_free(&comm);
  return finish();
}
