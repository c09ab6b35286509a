// SPDX-License-Identifier: MIT
// Preloaded before libmpigraft.so, which calls MPI by the names below, and MPI itself does not. On rank WRONG_RANK of
// the launch, bit 0 of byte WRONG_BYTE is wrong in the result of the WRONG_REDUCE-th combination, or in the
// WRONG_SEND-th message. Combinations and messages of fewer bytes do not count. Elements that the programs do not have,
// -0 and the least integers, it combines otherwise than MPICH: libmpigraft.so then combines everything by
// PMPI_Reduce_local.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static long number(const char* name) {
  const char* text = getenv(name);
  return text == NULL ? 0 : atol(text);
}

static int is_wrong(const char* which, long* so_far, MPI_Count bytes) {
  const char *of_hydra = getenv("PMI_RANK"), *victim = getenv("WRONG_RANK");
  const char* rank = of_hydra ? of_hydra : getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL || victim == NULL || strcmp(rank, victim) != 0 || bytes <= number("WRONG_BYTE")) return 0;
  return ++*so_far == number(which);
}

static MPI_Count bytes_of(int count, MPI_Datatype type) {
  MPI_Count size;
  PMPI_Type_size_x(type, &size);
  return count * size;
}

/// Changes the lowest bit of the result where the lower operand has only its highest bit.
static void combine_otherwise(const unsigned char* lower, unsigned char* result, int count, size_t bytes) {
  unsigned char extreme[64] = {0};
  if (bytes == 0 || bytes > sizeof extreme) return;
  extreme[bytes - 1] = 0x80;
  for (size_t at = 0; at < (size_t)count * bytes; at += bytes)
    if (memcmp(lower + at, extreme, bytes) == 0) result[at] ^= 1;
}

int PMPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
  static long so_far;
  int (*real)(const void*, void*, int, MPI_Datatype, MPI_Op) = dlsym(RTLD_NEXT, "PMPI_Reduce_local");
  const int error = real(in, inout, count, type, op);
  combine_otherwise(in, inout, count, (size_t)bytes_of(1, type));
  if (is_wrong("WRONG_REDUCE", &so_far, bytes_of(count, type))) ((char*)inout)[number("WRONG_BYTE")] ^= 1;
  return error;
}

/// The copy, of a contiguous type, is never freed.
int PMPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  static long so_far;
  int (*real)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = dlsym(RTLD_NEXT, "PMPI_Isend");
  const size_t bytes = (size_t)bytes_of(count, type);
  if (!is_wrong("WRONG_SEND", &so_far, (MPI_Count)bytes)) return real(data, count, type, to, tag, comm, request);
  char* copy = memcpy(malloc(bytes), data, bytes);
  copy[number("WRONG_BYTE")] ^= 1;
  return real(copy, count, type, to, tag, comm, request);
}
