// SPDX-License-Identifier: MIT
// Makes the MPI below it reach the memory of the stand-in GPU in the blocking collectives that MPIGRAFT_VERIFY makes
// for a program. GPU_DRIVER names the driver's file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

#include "../../../algorithms/collective.hpp"
#include "../../coexist/programs/parameters.h"

static void* copies[2];  // of buffers of the call

static void* function(void* object, const char* name) {
  void* const found = object ? dlsym(object, name) : NULL;
  if (!found) abort();
  return found;
}

/// The buffer, or a copy of it, and of what follows it there, if it is on the GPU.
static void* on_host(const void* buffer, int place) {
  void* const driver = dlopen(getenv("GPU_DRIVER"), RTLD_NOW | RTLD_NOLOAD);
  size_t (*holds)(const void*);
  void (*read)(void*, const void*, size_t);
  if (!driver || buffer == MPI_IN_PLACE) return (void*)(size_t)buffer;
  *(void**)&holds = function(driver, "gpu_holds"), *(void**)&read = function(driver, "gpu_read");
  const size_t bytes = holds(buffer);
  if (bytes == 0) return (void*)(size_t)buffer;
  copies[place] = malloc(bytes);
  read(copies[place], buffer, bytes);
  return copies[place];
}

#define PARAMETER(name) TYPE_##name() name
#define PASS(name) PASS_##name
#define PASS_sendbuf on_host(sendbuf, 0)
#define PASS_sendcount sendcount
#define PASS_sendtype sendtype
#define PASS_recvbuf on_host(recvbuf, 1)
#define PASS_count count
#define PASS_counts counts
#define PASS_displs displs
#define PASS_datatype datatype
#define PASS_op op
#define PASS_root root
#define PASS_comm comm
#define WRAP(name, function_of_mpi, lower, upper, signature, ...)                      \
  int PMPI_##function_of_mpi(MPIGRAFT_PARAMETERS_##signature(PARAMETER)) {             \
    static __typeof__(PMPI_##function_of_mpi)* next;                                   \
    if (!next) *(void**)&next = function(RTLD_NEXT, "PMPI_" #function_of_mpi);         \
    const int error = next(MPIGRAFT_PARAMETERS_##signature(PASS));                     \
    for (int place = 0; place < 2; ++place) free(copies[place]), copies[place] = NULL; \
    return error;                                                                      \
  }
MPIGRAFT_COLLECTIVES(WRAP)
MPIGRAFT_EQUAL_PARTS(WRAP)
