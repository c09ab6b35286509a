// SPDX-License-Identifier: MIT
// Many communicators: `communicators in_turn|alive N [IDLE]`: N of them, each used once after its first calls; in turn,
// or all of them before the first is freed. IDLE others, never used, leave fewer context ids. `communicators used_up
// WHO WHEN`: none is left. `communicators pending KIND`: they are freed while requests on them are pending.
#include "attempts.h"

enum { most = 4096 };
static MPI_Comm made[most], idle[most];

static void many(int in_turn, int n, int idle_ones) {
  for (int i = 0; i < idle_ones; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &idle[i]);
  for (int i = 0; i < n; ++i) {
    MPI_Comm* one = &made[in_turn ? 0 : i];
    *one = grafted_duplicate();
    attempt(i % 2 ? scan : bcast, 1, 0, *one);
    if (in_turn) MPI_Comm_free(one);
  }
  for (int i = n - 1; !in_turn && i >= 0; --i) {
    attempt(exscan, 1, 0, made[i]);
    MPI_Comm_free(&made[i]);
  }
  for (int i = 0; i < idle_ones; ++i) MPI_Comm_free(&idle[i]);
  attempt_all(MPI_COMM_WORLD);
}

static int use_up(const char* who) {
  int n = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const int all = strcmp(who, "all") == 0;
  const MPI_Comm copied = all ? MPI_COMM_WORLD : MPI_COMM_SELF;
  while ((all || atoi(who) == rank) && n < most && MPI_Comm_dup(copied, &made[n]) == MPI_SUCCESS) ++n;
  if (n == most) exit(2);  // no fault: MPI has more of them
  for (int i = 0; i < n; ++i) MPI_Comm_set_errhandler(made[i], MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  return n;
}

/// Context ids run out: WHO duplicates until MPI refuses ("all" ranks MPI_COMM_WORLD, or one rank MPI_COMM_SELF)
/// "before" or "after" the first collectives. Then collectives on old and new communicators, whose errors are fatal.
static void used_up(const char* who, const char* when) {
  MPI_Comm twin = grafted_duplicate();
  if (strcmp(when, "after") == 0) attempt_all(MPI_COMM_WORLD);
  int n = use_up(who);
  attempt_all(twin);
  attempt_all(MPI_COMM_WORLD);
  if (strcmp(who, "all") == 0) {
    use_up_first_calls(made[n - 1]);
    attempt(scan, 3, 0, made[n - 1]);
  }
  while (n > 0) MPI_Comm_free(&made[--n]);
  MPI_Comm_free(&twin);
  twin = grafted_duplicate();
  attempt_all(twin);
  MPI_Comm_free(&twin);
}

static int64_t out[2], in[2];

/// Starts requests on `comm` and tells how many. In the end in[0] is `want`.
static int begin_requests(const char* kind, MPI_Comm comm, MPI_Request* requests, int64_t* want) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  const int synchronous = strcmp(kind, "synchronous") == 0;
  out[0] = small(rank, 0), in[0] = in[1] = 0;
  if (strcmp(kind, "barrier") == 0) return *want = 0, MPI_Ibarrier(comm, &requests[0]), 1;
  if (strcmp(kind, "allreduce") == 0) {
    *want = wanted(scan, size - 1, size, 0, 0);
    return MPI_Iallreduce(out, in, 1, MPI_INT64_T, MPI_SUM, comm, &requests[0]), 1;
  }
  if (strcmp(kind, "broadcast") == 0) {
    *want = small(0, 0), in[0] = rank == 0 ? out[0] : 0;
    return MPI_Ibcast(in, 1, MPI_INT64_T, 0, comm, &requests[0]), 1;
  }
  *want = small(before, 0);
  if (synchronous) MPI_Issend(&out[0], 1, MPI_INT64_T, next, 5, comm, &requests[1]);
  MPI_Irecv(&in[0], 1, MPI_INT64_T, before, 5, comm, &requests[0]);
  if (!synchronous) MPI_Isend(&out[0], 1, MPI_INT64_T, next, 5, comm, &requests[1]);
  return 2;
}

static void pending(const char* kind) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int c = 0; c < collective_count; ++c) {
    MPI_Comm comm = grafted_duplicate();
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int64_t want;
    if (c % 2) attempt((enum collective)c, 1, 0, comm);
    const int n = begin_requests(kind, comm, requests, &want);
    attempt((enum collective)c, 700, 0, comm);
    MPI_Comm_free(&comm);
    attempt((enum collective)c, 3, 0, MPI_COMM_WORLD);
    MPI_Waitall(n, requests, statuses);
    expect(in[0] == want, "what the pending requests brought");
  }
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc < 3) exit(2);
  if (strcmp(argv[1], "pending") == 0)
    pending(argv[2]);
  else if (strcmp(argv[1], "used_up") == 0)
    used_up(argv[2], argv[3]);
  else
    many(strcmp(argv[1], "in_turn") == 0, atoi(argv[2]), argc > 3 ? atoi(argv[3]) : 0);
  return conclude();
}
