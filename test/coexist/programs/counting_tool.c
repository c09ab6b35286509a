// SPDX-License-Identifier: MIT
// A profiling tool as others write them: it counts calls and passes them on, to PMPI or (with -DNEXT) to the next
// library in the order of loading. Each rank prints its counts in MPI_Finalize.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#include "../../../algorithms/collective.hpp"

// Parameters and arguments of a collective by its signature.
#define TAKES_send_recv_op (const void* s, void* r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c)
#define GIVES_send_recv_op (s, r, n, t, o, c)
#define TAKES_send_recv_op_root (const void* s, void* r, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c)
#define GIVES_send_recv_op_root (s, r, n, t, o, root, c)
#define TAKES_send_recv_counts_op (const void* s, void* r, const int* n, MPI_Datatype t, MPI_Op o, MPI_Comm c)
#define GIVES_send_recv_counts_op (s, r, n, t, o, c)
#define TAKES_send_recv (const void* s, int n, MPI_Datatype t, void* r, int m, MPI_Datatype u, MPI_Comm c)
#define GIVES_send_recv (s, n, t, r, m, u, c)
#define TAKES_send_recv_counts \
  (const void* s, int n, MPI_Datatype t, void* r, const int* m, const int* d, MPI_Datatype u, MPI_Comm c)
#define GIVES_send_recv_counts (s, n, t, r, m, d, u, c)
#define TAKES_buffer_root (void* b, int n, MPI_Datatype t, int root, MPI_Comm c)
#define GIVES_buffer_root (b, n, t, root, c)
#define TAKES_comm_only (MPI_Comm c)
#define GIVES_comm_only (c)

// All others: name, parameters, arguments.
#define WRAPPED(X)                                                                                \
  X(Alltoall, (const void* s, int n, MPI_Datatype t, void* r, int m, MPI_Datatype u, MPI_Comm c), \
    (s, n, t, r, m, u, c))                                                                        \
  X(Comm_dup, (MPI_Comm c, MPI_Comm * d), (c, d))                                                 \
  X(Comm_set_attr, (MPI_Comm c, int k, void* a), (c, k, a))                                       \
  X(Isend, (const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* q),   \
    (b, n, t, to, tag, c, q))                                                                     \
  X(Irecv, (void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request* q),       \
    (b, n, t, from, tag, c, q))                                                                   \
  X(Reduce_local, (const void* s, void* r, int n, MPI_Datatype t, MPI_Op o), (s, r, n, t, o))

#ifdef NEXT
#define ORIGINAL(name) ((__typeof__(&PMPI_##name))dlsym(RTLD_NEXT, "MPI_" #name))
#else
#define ORIGINAL(name) PMPI_##name
#endif

#define WRAP(name, parameters, arguments) \
  static int count_##name;                \
  int MPI_##name parameters {             \
    ++count_##name;                       \
    return ORIGINAL(name) arguments;      \
  }
#define WRAP_COLLECTIVE(name, function, signature, ...) WRAP(function, TAKES_##signature, GIVES_##signature)
MPIGRAFT_COLLECTIVES(WRAP_COLLECTIVE)
MPIGRAFT_EQUAL_PARTS(WRAP_COLLECTIVE)
WRAPPED(WRAP)

int MPI_Finalize(void) {
  char line[1000];
  int rank, length;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  length = snprintf(line, sizeof line, "tool, rank %d:", rank);
#define PRINT(name, parameters, arguments) \
  if (count_##name) length += snprintf(line + length, sizeof line - length, " " #name "=%d", count_##name);
#define PRINT_COLLECTIVE(name, function, ...) PRINT(function, , )
  MPIGRAFT_COLLECTIVES(PRINT_COLLECTIVE)
  MPIGRAFT_EQUAL_PARTS(PRINT_COLLECTIVE)
  WRAPPED(PRINT)
  fprintf(stderr, "%s\n", line);
  return ORIGINAL(Finalize)();
}
