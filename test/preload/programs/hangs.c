// SPDX-License-Identifier: MIT
// Programs that never end, by errors that people made in the past: `hangs ERROR`. Rank 2 is the one that is wrong, and
// rank 0 where it takes one rank. `hangs slow SECONDS` is a program without error: rank 2 comes late.
#include <unistd.h>

#include "check.h"

enum { wrong = 2, tag = 7 };

static int one = 1, sums[64], all[64];

static void never_come_back(void) {
  for (;;) sleep(1);
}

static int next_rank(void) { return (rank + 1) % size; }
static int previous_rank(void) { return (rank + size - 1) % size; }

static void missing_barrier(void) {
  if (rank == wrong) never_come_back();
  MPI_Barrier(MPI_COMM_WORLD);
}

static void missing_gather(void) {
  if (rank == wrong) never_come_back();
  MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Alltoall(all, 1, MPI_INT, sums, 1, MPI_INT, MPI_COMM_WORLD);  // those that did not wait in the gather do it here
}

static void missing_in_part(void) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
  MPI_Alltoall(all, 1, MPI_INT, sums, 1, MPI_INT, half);
  if (rank == wrong) never_come_back();
  if (rank / 2 == wrong / 2) MPI_Alltoall(all, 2, MPI_INT, sums, 2, MPI_INT, half);
}

static void missing_split(void) {
  MPI_Comm half;
  if (rank == wrong) never_come_back();
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
}

static void different_root(void) {
  MPI_Reduce(&one, sums, 1, MPI_INT, MPI_SUM, rank == wrong ? wrong : 0, MPI_COMM_WORLD);
}

static void different_count(void) {
  MPI_Allreduce(&one, sums, rank == wrong ? 0 : 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void different_collective(void) {
  if (rank == wrong)
    MPI_Alltoall(all, 1, MPI_INT, sums, 1, MPI_INT, MPI_COMM_WORLD);
  else
    MPI_Allreduce(&one, sums, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void receive_without_send(void) {
  if (rank == 0) MPI_Recv(all, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void different_tags(void) {
  if (rank == 0) MPI_Recv(all, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Ssend(&one, 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD);
}

static void cycle_of_sends(void) { MPI_Ssend(&one, 1, MPI_INT, next_rank(), tag, MPI_COMM_WORLD); }

static void cycle_of_receives(void) {
  MPI_Recv(all, 1, MPI_INT, previous_rank(), MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wait_for_nothing(void) {
  MPI_Request request;
  if (rank != 0) return;
  MPI_Irecv(all, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void wait_for_all(void) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Irecv(all, 1, MPI_INT, previous_rank(), tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(&one, 1, MPI_INT, next_rank(), tag + (rank == wrong), MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, statuses);
}

static void probe_for_nothing(void) {
  if (rank == 0) MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void early_finalize(void) {
  if (rank == wrong) {
    MPI_Finalize();
    never_come_back();
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void polls_for_ever(void) {
  int found = 0;
  while (rank == wrong) MPI_Iprobe(0, tag, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE), usleep(100);
  MPI_Barrier(MPI_COMM_WORLD);
}

static int slow(unsigned seconds) {
  if (rank == wrong) sleep(seconds);
  MPI_Allreduce(&one, sums, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(sums[0] == size, "sum");
  end_section("slow");
  return finish();
}

static const struct scene errors[] = {SCENE(missing_barrier),
                                      SCENE(missing_gather),
                                      SCENE(missing_in_part),
                                      SCENE(missing_split),
                                      SCENE(different_root),
                                      SCENE(different_count),
                                      SCENE(different_collective),
                                      SCENE(receive_without_send),
                                      SCENE(different_tags),
                                      SCENE(cycle_of_sends),
                                      SCENE(cycle_of_receives),
                                      SCENE(wait_for_nothing),
                                      SCENE(wait_for_all),
                                      SCENE(probe_for_nothing),
                                      SCENE(early_finalize),
                                      SCENE(polls_for_ever),
                                      {NULL, NULL}};

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc > 2) return slow((unsigned)atoi(argv[2]));
  MPI_Barrier(MPI_COMM_WORLD);  // all have come, and are known to each other
  play_scene(errors, argc > 1 ? argv[1] : "");
  never_come_back();
}
