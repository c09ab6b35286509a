// SPDX-License-Identifier: MIT
// Scenes of one-sided calls, and of communicators that are made and freed.
#ifndef WAITS_WINDOWS_H
#define WAITS_WINDOWS_H

#include "waits_collectives.h"

enum { slot_bytes = window_bytes / 4 };

static inline void note_window(void) {
  const struct buffer all = {window_memory, window_bytes, window_bytes, shapes};
  uint64_t sum = 0;
  for (int i = 0; i < window_bytes; ++i) sum = (sum ^ (unsigned char)all.data[i]) * 0x100000001b3u;
  note("window: 0x%016" PRIx64, sum);
}

/// My slot of the next rank's memory, read back.
static inline void between_fences(int next, const struct buffer* mine, const struct buffer* theirs) {
  MPI_Win_fence(0, memory);
  MPI_Put(mine->data, mine->count, MPI_BYTE, next, 0, mine->count, MPI_BYTE, memory);
  MPI_Accumulate(mine->data, slot_bytes / 8, MPI_INT64_T, next, slot_bytes, slot_bytes / 8, MPI_INT64_T, MPI_SUM,
                 memory);
  MPI_Win_fence(0, memory);
  MPI_Get(theirs->data, theirs->count, MPI_BYTE, next, 0, theirs->count, MPI_BYTE, memory);
  MPI_Win_fence(0, memory);
}

static inline void under_lock(int next, const struct buffer* mine, const struct buffer* theirs) {
  int64_t one = rank + 1, before = 0;
  MPI_Request request;
  MPI_Win_lock(draw(2) ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, next, 0, memory);
  MPI_Put(mine->data, mine->count, MPI_BYTE, next, 0, mine->count, MPI_BYTE, memory);
  MPI_Win_flush(next, memory);
  MPI_Fetch_and_op(&one, &before, MPI_INT64_T, next, 2 * slot_bytes, MPI_SUM, memory);
  MPI_Rget(theirs->data, theirs->count, MPI_BYTE, next, 0, theirs->count, MPI_BYTE, memory, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock(next, memory);
  note("before: %lld", (long long)before);
}

static inline void posted_and_started(int next, const struct buffer* mine) {
  const int before = (rank + size - 1) % size;
  MPI_Group all, from, to;
  MPI_Win_get_group(memory, &all);
  MPI_Group_incl(all, 1, &before, &from);
  MPI_Group_incl(all, 1, &next, &to);
  MPI_Win_post(from, 0, memory);
  MPI_Win_start(to, 0, memory);
  MPI_Put(mine->data, mine->count, MPI_BYTE, next, 3 * slot_bytes, mine->count, MPI_BYTE, memory);
  MPI_Win_complete(memory);
  MPI_Win_wait(memory);
  MPI_Group_free(&all), MPI_Group_free(&from), MPI_Group_free(&to);
}

/// Each rank writes to the next, whatever `at` is.
static inline void window(const struct place* at) {
  const int way = draw(4), next = (rank + 1) % size, bytes = draw(slot_bytes) + 1;
  const struct buffer mine = full_buffer(shapes, slot_bytes, 0), theirs = empty_buffer(shapes, bytes);
  const struct buffer part = {mine.data, (size_t)bytes, bytes, shapes};
  (void)at;
  if (way == 0) between_fences(next, &part, &theirs);
  if (way == 1) under_lock(next, &part, &theirs);
  if (way == 2) posted_and_started(next, &part);
  if (way == 3) {
    MPI_Win_lock_all(0, memory);
    MPI_Put(part.data, bytes, MPI_BYTE, next, 0, bytes, MPI_BYTE, memory);
    MPI_Win_flush_all(memory);
    MPI_Win_unlock_all(memory);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  note("window %d", way);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, memory);  // the puts of others are seen
  note_window();
  MPI_Win_unlock(rank, memory);
  note_buffer("window", &theirs);
  MPI_Barrier(MPI_COMM_WORLD);  // before the next writes
}

/// Made, used with wildcards alone, and freed.
static inline void communicators(const struct place* at) {
  const int way = draw(5), shift = draw(at->size), bytes = draw_bytes(), colours = 1 + draw(2);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request request;
  MPI_Group group;
  MPI_Status status = blank();
  if (way == 0) MPI_Comm_dup(at->comm, &made);
  if (way == 1) MPI_Comm_split(at->comm, at->rank == 0 ? MPI_UNDEFINED : at->rank % colours, -at->rank, &made);
  if (way == 2) MPI_Comm_idup(at->comm, &made, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (way == 3) MPI_Comm_split_type(at->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
  if (way == 4) {
    MPI_Comm_group(at->comm, &group);
    MPI_Comm_create(at->comm, group, &made);
    MPI_Group_free(&group);
  }
  note("communicator %d: null %d", way, made == MPI_COMM_NULL);
  if (made == MPI_COMM_NULL) return;
  struct place in = {.comm = made};
  MPI_Comm_rank(made, &in.rank), MPI_Comm_size(made, &in.size);
  const struct buffer mine = full_buffer(shapes, bytes, 0), theirs = empty_buffer(shapes, bytes);
  const int to = (in.rank + shift) % in.size;
  MPI_Isend(mine.data, bytes, MPI_BYTE, to, scene_tag(0), made, &request);
  const int code = MPI_Recv(theirs.data, bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, made, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  note_status("alone", code, &status, MPI_BYTE);
  note_buffer("alone", &theirs);
  MPI_Barrier(made);
  MPI_Comm_free(&made);
}

#endif
