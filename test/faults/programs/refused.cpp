// SPDX-License-Identifier: MIT
// Calls that MPI refuses, made by the last rank alone: `refused MISTAKE returns|handles|throws`, by the error handler.
// The other ranks know nothing of them, so none may make this rank do anything that takes all ranks: what it calls next
// is what they call next. They come first on MPI_COMM_WORLD, again after so many nonblocking calls that means for more
// are made, and after each number of calls on other communicators.
#include "attempts.h"

namespace {

enum { most_before = 6, elements = 1000, nonblocking = 16 };
struct Refused {};

int handled;

void throw_refused(MPI_Comm*, int*, ...) { throw Refused(); }
void handle(MPI_Comm*, int*, ...) { ++handled; }

int call_with_mistake(const char* mistake, MPI_Comm comm) {
  static int64_t buffer[elements];
  [[maybe_unused]] MPI_Request request;
  if (strcmp(mistake, "root") == 0) return MPI_Bcast(buffer, 1, MPI_INT64_T, size, comm);
  if (strcmp(mistake, "type") == 0) return MPI_Bcast(buffer, 1, MPI_DATATYPE_NULL, 0, comm);
#if MPI_VERSION >= 4
  if (strcmp(mistake, "init") == 0) return MPI_Bcast_init(buffer, 1, MPI_INT64_T, size, comm, MPI_INFO_NULL, &request);
#endif
  return MPI_Allreduce(buffer, buffer, elements, MPI_INT64_T, MPI_SUM, comm);
}

bool is_refused(const char* mistake, MPI_Comm comm) {
  try {
    const int before = handled;
    return call_with_mistake(mistake, comm) != MPI_SUCCESS || handled > before;
  } catch (const Refused&) {
    return true;
  }
}

/// The last rank makes three mistakes, and lets rank 0 go on only then.
void err(const char* mistake, MPI_Comm comm, MPI_Errhandler handler) {
  int token = 0;
  MPI_Comm_set_errhandler(comm, handler);
  for (int i = 0; i < 3 && rank == size - 1; ++i) expect(is_refused(mistake, comm), "what MPI refuses");
  if (rank == size - 1) MPI_Send(&token, 1, MPI_INT, 0, 1, comm);
  if (rank == 0) MPI_Recv(&token, 1, MPI_INT, size - 1, 1, comm, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc < 3) exit(2);
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  if (strcmp(argv[2], "throws") == 0) MPI_Comm_create_errhandler(throw_refused, &handler);
  if (strcmp(argv[2], "handles") == 0) MPI_Comm_create_errhandler(handle, &handler);
  err(argv[1], MPI_COMM_WORLD, handler);
  attempt_all(MPI_COMM_WORLD);
  checked_form = nonblocking_form;
  for (int i = 0; i < nonblocking; ++i) attempt(allreduce, 1, 0, MPI_COMM_WORLD);
  checked_form = plain_form;
  err(argv[1], MPI_COMM_WORLD, handler);
  attempt_all(MPI_COMM_WORLD);
  for (int before = 0; before <= most_before; ++before) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < before; ++i) attempt(allreduce, 1, 0, comm);
    err(argv[1], comm, handler);
    attempt_all(comm);
    MPI_Comm_free(&comm);
  }
  return conclude();
}
