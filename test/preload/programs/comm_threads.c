// SPDX-License-Identifier: MIT
// Three threads with a communicator each, on which they call collectives and make, use and free others all the time.
// A fourth exchanges messages with the neighbours until they are done: on MPI_COMM_WORLD and, received from any source
// with any tag, on the first thread's communicator.
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

enum { makers = 3, calls = 8, longest = 700, talk_tag = 4000, forever = 1 << 30 };

static atomic_int at_work = makers;

struct maker {
  MPI_Comm comm;
  MPI_Op op;
  int id, communicators, wrong;
};

/// Calls every collective in turn, short and long, with MPI's sum and with the program's own.
static int wrong_calls(const struct maker* maker, MPI_Comm comm, int turn) {
  int count = 0;
  for (int i = turn; i < turn + calls; ++i)
    count += try_by(i % 3 == 0 ? maker->op : MPI_SUM, i % collective_count, 1 + (i * 97 + maker->id) % longest,
                    i % size, comm) != right_result;
  return count;
}

/// Makes communicators, every other one reversed; two at once, freed in either order.
static void* make(void* argument) {
  struct maker* maker = argument;
  MPI_Comm made[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
  for (int i = 0; i < maker->communicators; ++i) {
    MPI_Comm* comm = &made[(i * 3 / 2) % 2];
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
    if (i % 2)
      MPI_Comm_split(maker->comm, 0, -rank, comm);
    else
      MPI_Comm_dup(maker->comm, comm);
    maker->wrong += wrong_calls(maker, *comm, i) + wrong_calls(maker, maker->comm, i);
  }
  for (int k = 0; k < 2; ++k)
    if (made[k] != MPI_COMM_NULL) MPI_Comm_free(&made[k]);
  --at_work;
  return NULL;
}

struct message {
  int64_t turn, last, number;
};

struct talk {
  MPI_Comm wild;
  int wrong;
};

/// One message to each side. The one from the left is received as such, the one from the right with wildcards.
static struct message exchange(struct talk* talk, struct message mine) {
  const int left = (rank + size - 1) % size, next = (rank + 1) % size, bytes = sizeof mine;
  struct message of_left, of_right;
  MPI_Request requests[4];
  MPI_Status status[4];
  MPI_Irecv(&of_right, bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, talk->wild, &requests[0]);
  MPI_Irecv(&of_left, bytes, MPI_BYTE, left, talk_tag, MPI_COMM_WORLD, &requests[1]);
  mine.number = small(rank, mine.turn);
  MPI_Isend(&mine, bytes, MPI_BYTE, next, talk_tag, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&mine, bytes, MPI_BYTE, left, talk_tag + (int)(mine.turn % 100), talk->wild, &requests[3]);
  MPI_Waitall(4, requests, status);
  talk->wrong += of_left.turn != mine.turn || of_left.number != small(left, mine.turn);
  talk->wrong += of_right.turn != mine.turn || of_right.number != small(next, mine.turn) ||
                 status[0].MPI_SOURCE != next || status[0].MPI_TAG != talk_tag + mine.turn % 100;
  return of_left;
}

/// Rank 0 sets the last turn when its makers are done, late enough for all to hear of it.
static void* talk_until_done(void* argument) {
  int64_t last = forever;
  for (int64_t turn = 0; turn <= last; ++turn) {
    if (rank == 0 && last == forever && at_work == 0) last = turn + size;
    const struct message heard = exchange(argument, (struct message){.turn = turn, .last = last});
    if (heard.last < last) last = heard.last;
  }
  return NULL;
}

int main(int argc, char** argv) {
  struct maker maker[makers];
  struct talk talk = {.wrong = 0};
  pthread_t thread[makers], talker;
  MPI_Op op;
  start_threaded(&argc, &argv, MPI_THREAD_MULTIPLE);
  const int communicators = size == 2 ? 100 : 8;
  MPI_Op_create(add_integers, 0, &op);
  for (int t = 0; t < makers; ++t) {
    maker[t] = (struct maker){.op = op, .id = t, .communicators = communicators};
    MPI_Comm_dup(MPI_COMM_WORLD, &maker[t].comm);
  }
  talk.wild = maker[0].comm;
  pthread_create(&talker, NULL, talk_until_done, &talk);
  for (int t = 0; t < makers; ++t) pthread_create(&thread[t], NULL, make, &maker[t]);
  for (int t = 0; t < makers; ++t) {
    pthread_join(thread[t], NULL);
    expect(maker[t].wrong == 0, "a thread's collectives");
  }
  pthread_join(talker, NULL);
  expect(talk.wrong == 0, "a message between the threads that talk");
  for (int t = 0; t < makers; ++t) MPI_Comm_free(&maker[t].comm);
  MPI_Op_free(&op);
  end_section("collectives of 3 threads, messages of a fourth");
  return finish();
}
