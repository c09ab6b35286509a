// SPDX-License-Identifier: MIT
// Two ranks poll libfabric (fabric.c) as MPICH does. usage: polls_fabric READS COUNT [long|own]
// Rank 1 begins a nonblocking call a bit late. Rank 0 then reads COUNT entries READS times, without any call of MPI's;
// it says on stderr whether the result has come meanwhile. With `long`, the queue has more functions than libfabric's;
// with `own`, the fabric is not MPI's but the program's.
#include <unistd.h>

#include "../../preload/programs/check.h"
#include "fabric.h"

static struct object* open_all(int is_own, void* wants_long) {
  struct object *fabric, *domain, *queue, *another;
  for (int i = 0; i < 2; ++i) expect((is_own ? fi_fabric : pass_on)(NULL, &fabric, NULL) == 0, "fabric");
  const struct table* const of_fabric = fabric->table;
  expect(of_fabric->open[0](fabric, NULL, &domain, NULL) == 0 && of_fabric->open[1](fabric, 0, 0, 0) == OTHER,
         "domain");
  const struct table* const of_domain = domain->table;
  expect(of_domain->open[1](domain, wants_long, &queue, NULL) == 0 && of_domain->open[0](domain, 0, 0, 0) == OTHER &&
             of_domain->open[2](domain, 0, 0, 0) == OTHER && of_domain->open[1](domain, 0, &another, domain) == -1,
         "queue");
  return queue;
}

int main(int argc, char** argv) {
  int all = 0;
  start(&argc, &argv);
  const long reads = atol(argv[1]), count = atol(argv[2]);
  struct object* const queue =
      open_all(argc > 3 && strcmp(argv[3], "own") == 0, argc > 3 && strcmp(argv[3], "long") == 0 ? &all : NULL);
  const struct queue_table* const table = queue->table;
  expect(table->readfrom(queue, &all, 12) == 12 && table->read(queue, queue, 3) == 3, "functions");
  for (int i = 0; i < 20; ++i) MPI_Allreduce(MPI_IN_PLACE, &(int){i}, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

  MPI_Request request;
  const int one = 1;
  if (rank == 1) usleep(10000);
  MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  if (rank == 0) {
    usleep(300000);
    for (long i = 0; i < reads; ++i) expect(table->read(queue, &all + 1, (size_t)count) == NOTHING, "read");
    fprintf(stderr, "result %s\n", *(volatile int*)&all == 2 ? "came" : "did not come");
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(all == 2, "result");
  end_section("polls");
  return finish();
}
