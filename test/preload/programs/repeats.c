/* SPDX-License-Identifier: MIT
   `repeats N [WORD]`: N times a scan, an allreduce, a broadcast and a barrier on MPI_COMM_WORLD, with lengths that vary
   within a power of two, and all results looked at. WORD: `floats`, of floating-point sums that are exact; `products`,
   of floating-point products and maxima; `abort`, it ends by MPI_Abort; `leaves`, its ranks end by a signal; `many`, on
   communicators that are made in a loop; `threads`, two communicators at a time, a thread each; `skewed`, where ranks
   come late in turn. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

enum { most = 600 };

struct Work {
  MPI_Comm comm;
  int times, floats, products, skewed;
  pthread_t thread;
};

static void combine(const struct Work* work, int i) {
  const int n = 512 + i % 64;
  int64_t in[most], out[most];
  double real_in[most], real_out[most];
  for (int j = 0; j < n; ++j) in[j] = rank + j, real_in[j] = work->products ? 2 : rank + j;
  const MPI_Datatype type = work->floats ? MPI_DOUBLE : MPI_INT64_T;
  const void* from = work->floats ? (const void*)real_in : in;
  void* to = work->floats ? (void*)real_out : out;
  MPI_Scan(from, to, 1, type, work->products ? MPI_MAX : MPI_SUM, work->comm);
  const int64_t before = work->products ? 2 : (int64_t)rank * (rank + 1) / 2;
  expect(work->floats ? real_out[0] == (double)before : out[0] == before, "scan");
  MPI_Allreduce(from, to, n, type, work->products ? MPI_PROD : MPI_SUM, work->comm);
  for (int j = 0; j < n; ++j) {
    const int64_t all = work->products ? (int64_t)1 << size : (int64_t)size * (size - 1) / 2 + (int64_t)size * j;
    expect(work->floats ? real_out[j] == (double)all : out[j] == all, "allreduce");
  }
}

static void* repeat(void* argument) {
  const struct Work* work = (const struct Work*)argument;
  for (int i = 0; i < work->times; ++i) {
    if (work->skewed && i % size == rank) usleep(200);
    combine(work, i);
    int64_t passed[100];
    for (int j = 0; j < 100; ++j) passed[j] = rank == i % size ? i + j : -1;
    MPI_Bcast(passed, 100, MPI_INT64_T, i % size, work->comm);
    for (int j = 0; j < 100; ++j) expect(passed[j] == i + j, "broadcast");
    MPI_Barrier(work->comm);
  }
  return NULL;
}

int main(int argc, char** argv) {
  const char* word = argc > 2 ? argv[2] : "";
  const int threads = strcmp(word, "threads") == 0;
  start_threaded(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
  const int products = strcmp(word, "products") == 0;
  struct Work work = {
      MPI_COMM_WORLD, atoi(argv[1]), products || strcmp(word, "floats") == 0, products, strcmp(word, "skewed") == 0, 0};
  struct Work other = work;
  if (threads) MPI_Comm_dup(MPI_COMM_WORLD, &other.comm);
  if (threads) pthread_create(&other.thread, NULL, repeat, &other);
  for (int turn = 0; strcmp(word, "many") == 0 && turn < 80; ++turn) {
    MPI_Comm_dup(MPI_COMM_WORLD, &other.comm);
    repeat(&other);
    MPI_Comm_free(&other.comm);
  }
  repeat(&work);
  if (threads) pthread_join(other.thread, NULL);
  if (threads) MPI_Comm_free(&other.comm);
  if (strcmp(word, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  if (strcmp(word, "leaves") == 0) raise(SIGKILL);
  end_section("repeats");
  return finish();
}
