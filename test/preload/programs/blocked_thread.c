// SPDX-License-Identifier: MIT
// A thread of each rank is blocked in MPI_Recv while another exchanges many messages with the neighbours, and only then
// sends what the first waits for: a wait that takes what the other thread needs makes these exchanges slow.
#include <pthread.h>

#include "check.h"

enum { blocked_tag = 1, talk_tag = 2, turns = 2000 };

static void* wait_for_word(void* word) {
  MPI_Status status;
  const int left = (rank + size - 1) % size;
  MPI_Recv(word, 1, MPI_INT, left, blocked_tag, MPI_COMM_WORLD, &status);
  if (status.MPI_SOURCE != left || status.MPI_TAG != blocked_tag) *(int*)word = -1;
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t blocked;
  int word = -1;
  start_threaded(&argc, &argv, MPI_THREAD_MULTIPLE);
  const int next = (rank + 1) % size, left = (rank + size - 1) % size;
  pthread_create(&blocked, NULL, wait_for_word, &word);
  for (int turn = 0; turn < turns; ++turn) {
    const int ours = rank * turns + turn;
    int theirs = -1;
    MPI_Sendrecv(&ours, 1, MPI_INT, next, talk_tag, &theirs, 1, MPI_INT, left, talk_tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect(theirs == left * turns + turn, "an exchange");
  }
  MPI_Send(&rank, 1, MPI_INT, next, blocked_tag, MPI_COMM_WORLD);
  pthread_join(blocked, NULL);
  expect(word == left, "the word that a thread waited for");
  end_section("exchanges beside a thread that waits");
  return finish();
}
