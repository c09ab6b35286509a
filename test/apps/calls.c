// SPDX-License-Identifier: MIT
// Times kinds of calls, one after the other, for scripts/guard: `calls ROWS [CELL...]` prints for each cell its name
// and the microseconds of a call. That is the median of ROWS rows of calls, each as long as at the slowest rank.
#include <string.h>

#include "app.h"

enum { one = 1, page = 1 << 10, ten_pages = 10 << 10, most = 100 << 10, end_of_sizes = -1 };  // elements
enum { most_rows = 100, most_calls = 1000, fewest_rows = 3, first_calls = 2 };
static const double row_us = 2000, cell_us = 300000;

static long in[most], out[most];
static MPI_Comm control;  // for messages between rows

static void scan(int n) { MPI_Scan(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }
static void exscan(int n) { MPI_Exscan(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }
static void bcast(int n) { MPI_Bcast(in, n, MPI_LONG, 0, MPI_COMM_WORLD); }
static void reduce(int n) { MPI_Reduce(in, out, n, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD); }
static void allreduce(int n) { MPI_Allreduce(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }
static int share(int n) { return n < size ? 1 : n / size; }
static void reduce_scatter(int n) { MPI_Reduce_scatter_block(in, out, share(n), MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }
static void allgather(int n) { MPI_Allgather(in, share(n), MPI_LONG, out, share(n), MPI_LONG, MPI_COMM_WORLD); }
static void barrier(int n) { MPI_Barrier(n ? MPI_COMM_SELF : MPI_COMM_WORLD); }
static void iallreduce(int n) {
  MPI_Request request;
  MPI_Iallreduce(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
/// A sum that the program lets go on while it computes, about as long as the sum takes.
static void overlap(int n) {
  const double compute_s = 3e-9 * n;
  enum { tests = 8 };
  MPI_Request request;
  MPI_Iallreduce(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
  for (int i = 0, done; i < tests; ++i) {
    const double begin = MPI_Wtime();
    while (MPI_Wtime() - begin < compute_s / tests) {
    }
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
/// A duplicate on which n calls are made.
static void duplicate(int n) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < n; ++i) MPI_Allreduce(in, out, 1, MPI_LONG, MPI_SUM, comm);
  MPI_Comm_free(&comm);
}
static void probe(int n) {
  int found = n;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}
/// A receive that nobody answers, looked at and cancelled.
static void test(int n) {
  MPI_Request request;
  int found = n;
  MPI_Irecv(out, 1, MPI_LONG, rank, 1, MPI_COMM_WORLD, &request);
  MPI_Test(&request, &found, MPI_STATUS_IGNORE);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void ring(int n) {
  MPI_Sendrecv(in, n, MPI_LONG, (rank + 1) % size, 0, out, n, MPI_LONG, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}
static void alltoall(int n) { MPI_Alltoall(in, share(n), MPI_LONG, out, share(n), MPI_LONG, MPI_COMM_WORLD); }

#define VECTORS \
  { one, page, ten_pages, most, end_of_sizes }
static const struct Kind {
  const char* name;
  void (*call)(int n);
  int n[5];  // elements, or what the function takes
} kinds[] = {{"scan", scan, VECTORS},
             {"exscan", exscan, VECTORS},
             {"bcast", bcast, VECTORS},
             {"reduce", reduce, VECTORS},
             {"allreduce", allreduce, VECTORS},
             {"reduce_scatter", reduce_scatter, VECTORS},
             {"allgather", allgather, VECTORS},
             {"barrier", barrier, {0, end_of_sizes}},
             {"barrier_self", barrier, {1, end_of_sizes}},
             {"iallreduce", iallreduce, {one, page, end_of_sizes}},
             {"overlap", overlap, {page, most, end_of_sizes}},
             {"alltoall", alltoall, {one, page, end_of_sizes}},
             {"duplicate", duplicate, {0, 1, 8, end_of_sizes}},
             {"probe", probe, {0, end_of_sizes}},
             {"test", test, {0, end_of_sizes}},
             {"sendrecv", ring, {one, page, end_of_sizes}}};
enum { number_of_kinds = sizeof kinds / sizeof *kinds };

/// Brings the longest time of all ranks to rank 0, and rank 0's `next` to all.
static double synchronize(double mine, int* next) {
  for (int other = 1; other < size && rank == 0; ++other) {
    double theirs;
    MPI_Recv(&theirs, 1, MPI_DOUBLE, other, 0, control, MPI_STATUS_IGNORE);
    if (theirs > mine) mine = theirs;
  }
  if (rank != 0) MPI_Send(&mine, 1, MPI_DOUBLE, 0, 0, control);
  if (rank != 0) MPI_Recv(next, 1, MPI_INT, 0, 0, control, MPI_STATUS_IGNORE);
  for (int other = 1; other < size && rank == 0; ++other) MPI_Send(next, 1, MPI_INT, other, 0, control);
  return mine;
}

static double row(void (*call)(int n), int n, int calls) {
  synchronize(0, &calls);
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) call(n);
  return (MPI_Wtime() - begin) / calls * 1e6;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/// The median of the rows, at rank 0.
static double measure(void (*call)(int n), int n, int rows) {
  double times[most_rows], spent = 0;
  int done = 0, more = 1, calls = first_calls;
  synchronize(row(call, n, calls), &more);  // what is made at first
  const double usual = synchronize(row(call, n, calls), &more);
  if (rank == 0) calls = usual * most_calls < row_us ? most_calls : row_us < usual ? 1 : (int)(row_us / usual);
  synchronize(0, &calls);
  while (more) {
    const double mine = row(call, n, calls);
    times[done] = synchronize(mine, &more);
    spent += times[done] * calls;
    ++done;
    more = done < rows && (done < fewest_rows || spent < cell_us);
    synchronize(0, &more);
  }
  qsort(times, done, sizeof *times, compare);
  return times[done / 2];
}

static int wanted(int argc, char** argv, const char* cell) {
  for (int i = 2; i < argc; ++i)
    if (strcmp(argv[i], cell) == 0) return 1;
  return argc < 3;
}

static int sums_right(void) {
  for (int i = 0; i < most; ++i) in[i] = rank + i;
  allreduce(most);
  for (int i = 0; i < most; ++i)
    if (out[i] != (long)size * (size - 1) / 2 + (long)size * i) return 0;
  return 1;
}

int main(int argc, char** argv) {
  const int rows = start(&argc, &argv, 9);
  MPI_Comm_dup(MPI_COMM_WORLD, &control);
  int right = sums_right();
  for (int i = 0; i < most; ++i) in[i] = 0;
  for (int kind = 0; kind < number_of_kinds; ++kind)
    for (const int* n = kinds[kind].n; *n != end_of_sizes; ++n) {
      char cell[64];
      snprintf(cell, sizeof cell, "%s/%d", kinds[kind].name, *n);
      if (!wanted(argc, argv, cell)) continue;
      const double us = measure(kinds[kind].call, *n, rows < most_rows ? rows : most_rows);
      if (rank == 0) printf("%s %.4f\n", cell, us);
    }
  right &= sums_right();
  MPI_Comm_free(&control);
  return end("calls", right);
}
