// SPDX-License-Identifier: MIT
// One call of each kind that libmpigraft.so intercepts, on MPI_COMM_WORLD and on a duplicate, twice.
#include "standard_abi.h"

static void call_all(MPI_Comm comm) {
  const void* in = (const void*)0x7f0000000001;
  void* out = (void*)0x7f0000000002;
  const MPI_Count large = 5000000000;
  MPI_Scan(in, out, 1, MPI_INT64_T, MPI_SUM, comm);
  MPI_Scan_c(in, out, large, MPI_INT64_T, MPI_SUM, comm);
  MPI_Exscan(in, out, 2, MPI_INT64_T, MPI_SUM, comm);
  MPI_Exscan_c(in, out, large, MPI_INT64_T, MPI_SUM, comm);
  MPI_Bcast(out, 3, MPI_INT64_T, 1, comm);
  MPI_Bcast_c(out, large, MPI_INT64_T, 1, comm);
  MPI_Reduce(in, out, 4, MPI_INT64_T, MPI_SUM, 1, comm);
  MPI_Reduce_c(in, out, large, MPI_INT64_T, MPI_SUM, 1, comm);
}

int main(int argc, char** argv) {
  MPI_Comm twin;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  for (int k = 0; k < 2; ++k) {
    call_all(MPI_COMM_WORLD);
    call_all(twin);
  }
  return MPI_Finalize();
}
