/* SPDX-License-Identifier: MIT
   What the standard ABI of MPI-5 says of the collectives: handles are pointers, predefined ones small numbers. */
#include <stdint.h>

#include "../../../algorithms/collective.hpp"
#include "parameters.h"

typedef struct comm* MPI_Comm;
typedef struct type* MPI_Datatype;
typedef struct op* MPI_Op;
typedef int64_t large_int;

#define MPI_COMM_WORLD ((MPI_Comm)0x101)

#define PLAIN(name) TYPE_##name() name
#define LARGE(name) TYPE_##name(large_) name

/// X(function, signature, PLAIN) or X(function, signature, LARGE) of all functions.
#define BOTH_FORMS(name, equal, function, lower, upper, signature, ...) \
  X(function, signature, PLAIN) X(function##_c, signature, LARGE)
#define ALL_FUNCTIONS MPIGRAFT_COLLECTIVE_FUNCTIONS(BOTH_FORMS)

int MPI_Init(int* argc, char*** argv);
int MPI_Finalize(void);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* twin);
#define X(function, signature, FORM) int MPI_##function(MPIGRAFT_PARAMETERS_##signature(FORM));
ALL_FUNCTIONS
#undef X
