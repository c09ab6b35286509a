/* SPDX-License-Identifier: MIT
   `repeats N [WORD]`: N times a scan, an allreduce, a broadcast and a barrier on MPI_COMM_WORLD, with lengths that vary
   within a power of two, and all results looked at. WORD: `floats`, of floating-point sums that are exact; `products`,
   of floating-point products and maxima; `user`, by an operator of the program; `abort`, it ends by MPI_Abort;
   `leaves`, its ranks end by a signal; `many`, on communicators that are made in a loop; `threads`, two communicators
   at a time, a thread each; `skewed`, where ranks come late in turn; `moves`, it goes to another folder first. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

struct Work {
  MPI_Comm comm;
  int times, skewed;
  struct kind scanned, reduced;
  pthread_t thread;
};

static void* repeat(void* argument) {
  const struct Work* work = (const struct Work*)argument;
  for (int i = 0; i < work->times; ++i) {
    if (work->skewed && i % size == rank) usleep(200);
    expect(try_on(&work->scanned, plain_form, scan, 1, 0, 0, work->comm) == right_result, "scan");
    expect(try_on(&work->reduced, plain_form, allreduce, 512 + i % 64, 0, 0, work->comm) == right_result, "allreduce");
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
  const MPI_Datatype type = products || strcmp(word, "floats") == 0 ? MPI_DOUBLE : MPI_INT64_T;
  struct Work work = {.comm = MPI_COMM_WORLD, .times = atoi(argv[1]), .skewed = strcmp(word, "skewed") == 0};
  work.scanned = predefined_kind(type, products ? MPI_MAX : MPI_SUM);
  work.reduced = predefined_kind(type, products ? MPI_PROD : MPI_SUM);
  if (strcmp(word, "user") == 0) {
    work.scanned = user_kind(MPI_UINT64_T, true);
    MPI_Op_create(add_integers, 1, &work.scanned.op);
    work.reduced = work.scanned;
  }
  if (strcmp(word, "moves") == 0) expect(chdir("/") == 0, "chdir");
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
