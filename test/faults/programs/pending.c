// SPDX-License-Identifier: MIT
// Communicators that are freed while requests on them are pending: `pending KIND`.
#include "attempts.h"

static int64_t out[2], in[2];

/// Starts requests on `comm`; the values that arrive are checked by `check`.
static int begin_requests(const char* kind, MPI_Comm comm, MPI_Request* requests) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  out[0] = small(rank, 0), in[0] = in[1] = 0;
  if (strcmp(kind, "messages") == 0) {
    MPI_Irecv(&in[0], 1, MPI_INT64_T, before, 5, comm, &requests[0]);
    MPI_Isend(&out[0], 1, MPI_INT64_T, next, 5, comm, &requests[1]);
    return 2;
  }
  if (strcmp(kind, "synchronous") == 0) {
    MPI_Issend(&out[0], 1, MPI_INT64_T, next, 5, comm, &requests[0]);
    MPI_Irecv(&in[0], 1, MPI_INT64_T, before, 5, comm, &requests[1]);
    return 2;
  }
  if (strcmp(kind, "barrier") == 0) return MPI_Ibarrier(comm, &requests[0]), 1;
  if (strcmp(kind, "allreduce") == 0) return MPI_Iallreduce(out, in, 1, MPI_INT64_T, MPI_SUM, comm, &requests[0]), 1;
  if (rank == 0) in[0] = out[0];
  return MPI_Ibcast(in, 1, MPI_INT64_T, 0, comm, &requests[0]), 1;
}

static int64_t wanted_by(const char* kind) {
  if (strcmp(kind, "barrier") == 0) return 0;
  if (strcmp(kind, "allreduce") == 0) return wanted(scan, size - 1, size, 0, 0);
  return small(strcmp(kind, "broadcast") == 0 ? 0 : (rank + size - 1) % size, 0);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int c = 0; c < collective_count; ++c) {
    MPI_Comm comm;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    use_up_first_calls(comm);
    if (c % 2) attempt((enum collective)c, 1, 0, comm);
    const int n = begin_requests(argv[1], comm, requests);
    attempt((enum collective)c, 700, 0, comm);
    MPI_Comm_free(&comm);
    attempt((enum collective)c, 3, 0, MPI_COMM_WORLD);
    MPI_Waitall(n, requests, statuses);
    expect(in[0] == wanted_by(argv[1]), "what the pending requests brought");
  }
  return conclude();
}
