// SPDX-License-Identifier: MIT
// A profiling tool as others write them: it counts calls and passes them on, to PMPI or (with -DNEXT) to the next
// library in the order of loading. Each rank prints its counts in MPI_Finalize.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#include "../../../algorithms/collective.hpp"
#include "parameters.h"

#define NAME(name) name
#define PARAMETER(name) TYPE_##name() name

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
#define WRAP_COLLECTIVE(name, equal, function, lower, upper, signature, ...) \
  WRAP(function, (MPIGRAFT_PARAMETERS_##signature(PARAMETER)), (MPIGRAFT_PARAMETERS_##signature(NAME)))
MPIGRAFT_COLLECTIVE_FUNCTIONS(WRAP_COLLECTIVE)
WRAPPED(WRAP)

int MPI_Finalize(void) {
  char line[1000];
  int rank, length;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  length = snprintf(line, sizeof line, "tool, rank %d:", rank);
#define PRINT(name, parameters, arguments) \
  if (count_##name) length += snprintf(line + length, sizeof line - length, " " #name "=%d", count_##name);
#define PRINT_COLLECTIVE(name, equal, function, ...) PRINT(function, , )
  MPIGRAFT_COLLECTIVE_FUNCTIONS(PRINT_COLLECTIVE)
  WRAPPED(PRINT)
  fprintf(stderr, "%s\n", line);
  return ORIGINAL(Finalize)();
}
