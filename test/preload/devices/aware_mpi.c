// SPDX-License-Identifier: MIT
// Makes the MPI below it reach the memory of the stand-in GPU in the blocking collectives that MPIGRAFT_VERIFY makes
// for a program. GPU_DRIVER names the driver's file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

static void* function(void* object, const char* name) {
  void* const found = object ? dlsym(object, name) : NULL;
  if (!found) abort();
  return found;
}

static void* driver(const char* name) {
  void* const object = dlopen(getenv("GPU_DRIVER"), RTLD_NOW | RTLD_NOLOAD);
  return object ? function(object, name) : NULL;
}

/// The buffer, or a copy of it if it is on the GPU.
static void* on_host(const void* buffer, int count, MPI_Datatype type) {
  MPI_Aint lb, extent;
  int (*holds)(const void*);
  void (*read)(void*, const void*, size_t);
  *(void**)&holds = driver("gpu_holds"), *(void**)&read = driver("gpu_read");
  if (!holds || buffer == MPI_IN_PLACE || !holds(buffer)) return (void*)(size_t)buffer;
  PMPI_Type_get_extent(type, &lb, &extent);
  const size_t bytes = (size_t)(count * extent);
  void* const copy = malloc(bytes);
  read(copy, buffer, bytes);
  return copy;
}

/// Calls the next function of this name with `copy`, which is what `sent` holds.
#define PASS_ON(name, sent, ...)                                  \
  static int (*next)();                                           \
  if (!next) *(void**)&next = function(RTLD_NEXT, "PMPI_" #name); \
  void* const copy = on_host(sent, count, type);                  \
  const int error = next(__VA_ARGS__);                            \
  if (copy != sent) free(copy);                                   \
  return error;

int PMPI_Scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  PASS_ON(Scan, in, copy, out, count, type, op, comm)
}
int PMPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  PASS_ON(Exscan, in, copy, out, count, type, op, comm)
}
int PMPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  PASS_ON(Allreduce, in, copy, out, count, type, op, comm)
}
int PMPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  PASS_ON(Reduce, in, copy, out, count, type, op, root, comm)
}
int PMPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  PASS_ON(Bcast, buffer, copy, count, type, root, comm)
}
int PMPI_Reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int size, count = 0;
  PMPI_Comm_size(comm, &size);
  for (int r = 0; r < size; ++r) count += counts[r];
  PASS_ON(Reduce_scatter, in, copy, out, counts, type, op, comm)
}
int PMPI_Reduce_scatter_block(const void* in, void* out, int each, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int size;
  PMPI_Comm_size(comm, &size);
  const int count = each * size;
  PASS_ON(Reduce_scatter_block, in, copy, out, each, type, op, comm)
}
