// SPDX-License-Identifier: MIT
// Three threads, each with a communicator of its own, at the same time.
#include <pthread.h>

#include "collectives.h"

enum { threads = 3, calls = 200 };

struct work {
  MPI_Comm comm;
  int wrong;
};

static void* call(void* argument) {
  struct work* work = argument;
  for (int i = 0; i < calls; ++i)
    for (int c = scan; c <= bcast; c += bcast - scan) work->wrong += !is_right(c, 1 + i % 5, i % size, work->comm);
  return NULL;
}

int main(int argc, char** argv) {
  struct work work[threads];
  pthread_t thread[threads];
  start_threaded(&argc, &argv, MPI_THREAD_MULTIPLE);
  for (int t = 0; t < threads; ++t) {
    work[t].wrong = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &work[t].comm);
  }
  for (int t = 0; t < threads; ++t) pthread_create(&thread[t], NULL, call, &work[t]);
  for (int t = 0; t < threads; ++t) {
    pthread_join(thread[t], NULL);
    expect(work[t].wrong == 0, "a thread's collectives");
    MPI_Comm_free(&work[t].comm);
  }
  end_section("scans and broadcasts of 3 threads");
  return finish();
}
