// SPDX-License-Identifier: MIT
// Programs that never end, by errors that people made in the past: `hangs ERROR`. Rank 2 is the one that is wrong, and
// rank 0 where it takes one rank. `hangs slow SECONDS [no_room]` is a program without error: rank 2 comes late.
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { wrong = 2, tag = 7 };

static int one = 1, sums[64], all[64];

static void never_come_back(void) {
  for (;;) sleep(1);
}

static int next_rank(void) { return (rank + 1) % size; }
static int previous_rank(void) { return (rank + size - 1) % size; }

SCENE(missing_barrier) {
  if (rank == wrong) never_come_back();
  MPI_Barrier(MPI_COMM_WORLD);
}

SCENE(missing_gather) {
  if (rank == wrong) never_come_back();
  MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Alltoall(all, 1, MPI_INT, sums, 1, MPI_INT, MPI_COMM_WORLD);  // those that did not wait in the gather do it here
}

SCENE(missing_in_part) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
  MPI_Alltoall(all, 1, MPI_INT, sums, 1, MPI_INT, half);
  if (rank == wrong) never_come_back();
  if (rank / 2 == wrong / 2) MPI_Alltoall(all, 2, MPI_INT, sums, 2, MPI_INT, half);
}

SCENE(missing_split) {
  MPI_Comm half;
  if (rank == wrong) never_come_back();
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
}

SCENE(different_root) { MPI_Reduce(&one, sums, 1, MPI_INT, MPI_SUM, rank == wrong ? wrong : 0, MPI_COMM_WORLD); }

// Rank 2 has made its first call last and makes this one first, so only the others can see that it differs.
SCENE(late_root) {
  if (rank != wrong) sleep(1);
  different_root();
}

SCENE(different_count) { MPI_Allreduce(&one, sums, rank == wrong ? 0 : 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }

SCENE(different_collective) {
  if (rank == wrong)
    MPI_Alltoall(all, 1, MPI_INT, sums, 1, MPI_INT, MPI_COMM_WORLD);
  else
    MPI_Allreduce(&one, sums, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

SCENE(receive_without_send) {
  if (rank == 0) MPI_Recv(all, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void* receive(void* of) {
  MPI_Recv(all, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return of;
}

SCENE(threads_wait) {
  pthread_t thread;
  if (rank == 0) pthread_create(&thread, NULL, receive, NULL), sleep(1);
  missing_barrier();
}

SCENE(different_tags) {
  if (rank == 0) MPI_Recv(all, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Ssend(&one, 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD);
}

SCENE(cycle_of_sends) { MPI_Ssend(&one, 1, MPI_INT, next_rank(), tag, MPI_COMM_WORLD); }

SCENE(cycle_of_receives) { MPI_Recv(all, 1, MPI_INT, previous_rank(), MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

SCENE(wait_for_nothing) {
  MPI_Request request;
  if (rank != 0) return;
  MPI_Irecv(all, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

SCENE(wait_for_all) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Irecv(all, 1, MPI_INT, previous_rank(), tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(&one, 1, MPI_INT, next_rank(), tag + (rank == wrong), MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, statuses);
}

SCENE(detach_for_nothing) {
  static char message[1 << 20], buffer[1 << 21];
  int bytes;
  void* place;
  if (rank != 0) return;
  MPI_Buffer_attach(buffer, sizeof buffer);
  MPI_Bsend(message, sizeof message, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
  MPI_Buffer_detach(&place, &bytes);
}

SCENE(probe_for_nothing) {
  if (rank == 0) MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

SCENE(early_finalize) {
  if (rank == wrong) {
    MPI_Finalize();
    never_come_back();
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

SCENE(others_finalize) {
  if (rank == wrong) MPI_Recv(all, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}

SCENE(polls_for_ever) {
  int found = 0;
  while (rank == wrong) MPI_Iprobe(0, tag, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE), usleep(100);
  MPI_Barrier(MPI_COMM_WORLD);
}

/// A child that is ended takes no longer to end than natively.
static void end_a_child(void) {
  const double begin = MPI_Wtime();
  const pid_t child = fork();
  if (child == 0) pause();
  kill(child, SIGTERM);
  waitpid(child, NULL, 0);
  expect(MPI_Wtime() - begin < 0.9, "the end of a child");
}

static int slow(unsigned seconds) {
  end_a_child();
  expect(chdir("/") == 0, "another folder");
  if (rank == wrong) sleep(seconds);
  MPI_Allreduce(&one, sums, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(sums[0] == size, "sum");
  end_section("slow");
  return finish();
}

int main(int argc, char** argv) {
  if (getenv("MPIGRAFT_SIGNAL")) raise(SIGUSR1);  // which does not end a program before its first call either
  const int threads = argc > 1 && strncmp(argv[1], "threads_", 8) == 0;
  start_threaded(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
  const struct rlimit no_room = {0, 0};
  if (argc > 3) setrlimit(RLIMIT_FSIZE, &no_room);
  if (argc > 2) return slow((unsigned)atoi(argv[2]));
  const char* const scene = argc > 1 ? argv[1] : "";
  if (strncmp(scene, "late_", 5) == 0 && rank == wrong) sleep(1);
  MPI_Barrier(MPI_COMM_WORLD);  // all have come, and are known to each other
  play_scene(scene);
  never_come_back();
}
