// SPDX-License-Identifier: MIT
// One call of each kind that libmpigraft.so intercepts, on MPI_COMM_WORLD and on a duplicate, twice.
#include "standard_abi.h"

/// Arguments are numbers by their names; those that have 64 bits use them.
enum {
  of_sendbuf = 1,
  of_sendcount,
  of_sendtype,
  of_recvbuf,
  of_count,
  of_counts,
  of_displs,
  of_datatype,
  of_op,
  of_root,
  of_comm
};
#define VALUE(name, type) \
  (type)(of_##name == of_comm ? (uintptr_t)comm : of_##name + ((uintptr_t)(sizeof(type) > sizeof(int)) << 32))
#define PASS_PLAIN(name) VALUE(name, TYPE_##name())
#define PASS_LARGE(name) VALUE(name, TYPE_##name(large_))

static void call_all(MPI_Comm comm) {
#define X(function, signature, FORM) MPI_##function(MPIGRAFT_PARAMETERS_##signature(PASS_##FORM));
  ALL_FUNCTIONS
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
