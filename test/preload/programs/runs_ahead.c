// SPDX-License-Identifier: MIT
// A root that broadcasts little runs ahead of the others, as it does natively: they take part only when they hear, from
// the root, that it is done. MPI does not promise that; programs are fast by it.
#include <unistd.h>

#include "check.h"

enum { calls = 1000, done = 1, seconds = 20 };

int main(int argc, char** argv) {
  start(&argc, &argv);
  alarm(seconds);  // if the root waited for the others, no rank would go on
  int64_t value = 0;
  MPI_Bcast(&value, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);  // sets up what they share
  if (rank > 0) MPI_Recv(NULL, 0, MPI_BYTE, 0, done, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int64_t i = 0; i < calls; ++i) {
    value = rank == 0 ? i : -1;
    MPI_Bcast(&value, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    expect(value == i, "value");
  }
  for (int to = 1; rank == 0 && to < size; ++to) MPI_Send(NULL, 0, MPI_BYTE, to, done, MPI_COMM_WORLD);
  end_section("runs ahead");
  return finish();
}
