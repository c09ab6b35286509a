// SPDX-License-Identifier: MIT
// Scenes of collectives, grafted and not: blocking, large and nonblocking.
#ifndef WAITS_COLLECTIVES_H
#define WAITS_COLLECTIVES_H

#include "waits.h"

enum { window_bytes = 4096, collective_ways = 16 };

// Made once; making them takes long.
static MPI_Comm ring_comm, sides_comm;
static MPI_Win memory;
static char* window_memory;

/// `half`: where its ranks are among those of their own parity.
static inline void make_fixtures(const struct place* half) {
  const int around[] = {(rank + size - 1) % size, (rank + 1) % size};
  MPI_Comm world;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Dist_graph_create_adjacent(world, 2, around, MPI_UNWEIGHTED, 2, around, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring_comm);
  MPI_Intercomm_create(half->comm, 0, world, 1 - rank % 2, 5, &sides_comm);
  MPI_Win_allocate(window_bytes, 1, MPI_INFO_NULL, world, &window_memory, &memory);
  memset(window_memory, 0, window_bytes);
  MPI_Barrier(world);
  MPI_Comm_free(&world);
}

static inline void free_fixtures(void) {
  MPI_Win_free(&memory);
  MPI_Comm_free(&sides_comm);
  MPI_Comm_free(&ring_comm);
}

/// Ends a request in one of the ways to wait for it.
static inline int finished(MPI_Request* request) {
  const int way = draw(3);
  MPI_Request both[2] = {MPI_REQUEST_NULL, *request};
  int flag = 0, code = MPI_SUCCESS;
  if (way == 0) return MPI_Wait(request, MPI_STATUS_IGNORE);
  if (way == 1) return MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  while (!flag) code = MPI_Test(request, &flag, MPI_STATUS_IGNORE);
  return code;
}

// Blocking, large or nonblocking, as `form` says.
#define CALL(name, small_name, ...)          \
  (form == 0   ? MPI_##name(__VA_ARGS__)     \
   : form == 1 ? MPI_##name##_c(__VA_ARGS__) \
               : (MPI_I##small_name(__VA_ARGS__, &request), finished(&request)))
// For functions whose counts and places are arrays of int.
#define CALL_INT(name, small_name, ...) \
  (form != 2 ? MPI_##name(__VA_ARGS__) : (MPI_I##small_name(__VA_ARGS__, &request), finished(&request)))

/// Counts and places of parts for all ranks, alike everywhere, with gaps.
struct layout {
  int counts[most_ranks], places[most_ranks], bytes[most_ranks], all;
  MPI_Datatype types[most_ranks];
};

static inline struct layout draw_layout(const struct shape* shape, int p, int n) {
  struct layout layout = {.all = 0};
  for (int r = 0; r < p; ++r) {
    layout.counts[r] = draw(4) == 0 ? 0 : n + draw(5), layout.places[r] = layout.all + draw(3);
    layout.bytes[r] = layout.places[r] * shape->extent, layout.types[r] = shape->type;
    layout.all = layout.places[r] + layout.counts[r];
  }
  return layout;
}

/// The lengths of what this rank sends to every rank, or receives from every rank.
static inline struct layout exchange(const struct shape* shape, const struct place* at, int n, int receives) {
  struct layout layout = {.all = 0};
  for (int r = 0; r < at->size; ++r) {
    const int more = receives ? (r * 3 + at->rank * 5) % 7 : (at->rank * 3 + r * 5) % 7;
    layout.counts[r] = more == 0 ? 0 : n + more, layout.places[r] = layout.all + 1;
    layout.bytes[r] = layout.places[r] * shape->extent, layout.types[r] = shape->type;
    layout.all = layout.places[r] + layout.counts[r];
  }
  return layout;
}

/// Sums, of any length; `way` 0 to 6.
static inline int reduction(int way, int form, const struct place* at, int root, int n, struct buffer* out) {
  const MPI_Datatype type = MPI_INT64_T;
  const MPI_Op op = draw(2) ? MPI_SUM : MPI_BXOR;
  const int in_place = chance(20) && (way != 1 || root == 0);  // MPICH 4.0 fails where another root reduces much so
  const int p = at->size;
  const struct layout parts = draw_layout(&shapes[1], p, n / p);
  int all = n;
  MPI_Request request;
  if (way == 5) all = n / p * p;
  for (int r = 0; way == 6 && r < p; ++r) all = (r == 0 ? 0 : all) + parts.counts[r];
  const struct buffer mine = full_buffer(&shapes[1], all, 0);
  *out = in_place ? full_buffer(&shapes[1], all, 0) : empty_buffer(&shapes[1], all);
  const void* in = in_place && (way != 1 || at->rank == root) ? MPI_IN_PLACE : mine.data;
  switch (way) {
    case 0:
      return CALL(Allreduce, allreduce, in, out->data, all, type, op, at->comm);
    case 1:
      return CALL(Reduce, reduce, in, out->data, all, type, op, root, at->comm);
    case 2:
      return CALL(Scan, scan, in, out->data, all, type, op, at->comm);
    case 3:
      return CALL(Exscan, exscan, in, out->data, all, type, op, at->comm);
    case 5:
      return CALL(Reduce_scatter_block, reduce_scatter_block, in, out->data, all / p, type, op, at->comm);
    case 6:
      return CALL_INT(Reduce_scatter, reduce_scatter, in, out->data, parts.counts, type, op, at->comm);
    default:
      return CALL(Bcast, bcast, out->data, all, type, root, at->comm);
  }
}

/// Copies; `way` 7 to 14.
static inline int movement(int way, int form, const struct place* at, int root, int n, struct buffer* out) {
  const struct shape* shape = &shapes[draw(shape_count)];
  const MPI_Datatype type = shape->type;
  const int p = at->size, k = n / p;
  const struct layout parts = draw_layout(shape, p, k);
  const struct layout to = exchange(shape, at, k, 0), from = exchange(shape, at, k, 1);
  const int wide = to.all > from.all ? to.all : from.all, all = parts.all > k * p ? parts.all : k * p;
  const struct buffer mine = full_buffer(shape, wide > all ? wide : all, 0);
  MPI_Request request;
  *out = empty_buffer(shape, mine.count);
  const void* const in = mine.data;
  switch (way) {
    case 7:
      return CALL(Allgather, allgather, in, k, type, out->data, k, type, at->comm);
    case 8:
      return CALL_INT(Allgatherv, allgatherv, in, parts.counts[at->rank], type, out->data, parts.counts, parts.places,
                      type, at->comm);
    case 9:
      return CALL(Gather, gather, in, k, type, out->data, k, type, root, at->comm);
    case 10:
      return CALL_INT(Gatherv, gatherv, in, parts.counts[at->rank], type, out->data, parts.counts, parts.places, type,
                      root, at->comm);
    case 11:
      return CALL(Scatter, scatter, in, k, type, out->data, k, type, root, at->comm);
    case 12:
      return CALL_INT(Scatterv, scatterv, in, parts.counts, parts.places, type, out->data, parts.counts[at->rank], type,
                      root, at->comm);
    case 13:
      return CALL(Alltoall, alltoall, in, k, type, out->data, k, type, at->comm);
    case 14:
      return CALL_INT(Alltoallv, alltoallv, in, to.counts, to.places, type, out->data, from.counts, from.places, type,
                      at->comm);
    default:
      return CALL_INT(Alltoallw, alltoallw, in, to.counts, to.bytes, to.types, out->data, from.counts, from.bytes,
                      from.types, at->comm);
  }
}

static inline void collective(const struct place* at) {
  const int way = draw(collective_ways + 1), form = draw(5) % 3, root = draw(at->size);
  const int bytes = draw_bytes(), n = (bytes < 300000 ? bytes : 300000) / 24;
  struct buffer out;
  MPI_Request request;
  if (way == collective_ways) {
    if (form == 2) MPI_Ibarrier(at->comm, &request);
    note("barrier: class %d", class_of(form == 2 ? finished(&request) : MPI_Barrier(at->comm)));
    return;
  }
  const int code = way < 7 ? reduction(way, form, at, root, n, &out) : movement(way, form, at, root, n, &out);
  note("collective %d, form %d: class %d", way, form, class_of(code));
  if (way == 1 && at->rank != root) return;
  note_buffer("collective", &out);
}

/// Has collectives and messages under way together.
static inline void two_at_once(const struct place* at) {
  const int n = draw(2000), root = draw(at->size), way = draw(3), tag = scene_tag(0);
  const int right = (at->rank + 1) % at->size, left = (at->rank + at->size - 1) % at->size;
  const struct buffer mine = full_buffer(&shapes[1], n, 0), theirs = empty_buffer(&shapes[1], n);
  const struct buffer sum = empty_buffer(&shapes[1], n), same = full_buffer(&shapes[1], n, 1);
  MPI_Request requests[4];
  MPI_Iallreduce(mine.data, sum.data, n, MPI_INT64_T, MPI_SUM, at->comm, &requests[0]);
  MPI_Irecv(theirs.data, n, MPI_INT64_T, left, tag, at->comm, &requests[1]);
  MPI_Ibcast(same.data, n, MPI_INT64_T, root, at->comm, &requests[2]);
  MPI_Isend(mine.data, n, MPI_INT64_T, right, tag, at->comm, &requests[3]);
  for (int i = 0, which; i < 4 && way == 1; ++i) MPI_Waitany(4, requests, &which, MPI_STATUS_IGNORE);
  for (int i = 3; i >= 0 && way == 2; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  note_buffer("sum", &sum), note_buffer("message", &theirs), note_buffer("broadcast", &same);
}

/// Exchanges on a ring of all ranks, whatever `at` is.
static inline void neighbours(const struct place* at) {
  const struct shape* shape = &shapes[draw(shape_count)];
  const MPI_Datatype type = shape->type;
  const int form = draw(3), way = draw(3), n = draw(3000);
  const int counts[] = {n, n}, places[] = {n + 1, 0};
  const struct buffer mine = full_buffer(shape, 2 * n + 1, 0), theirs = empty_buffer(shape, 2 * n + 1);
  MPI_Request request;
  int code = MPI_SUCCESS;
  (void)at;
  if (way == 0)
    code = CALL(Neighbor_allgather, neighbor_allgather, mine.data, n, type, theirs.data, n, type, ring_comm);
  if (way == 1) code = CALL(Neighbor_alltoall, neighbor_alltoall, mine.data, n, type, theirs.data, n, type, ring_comm);
  if (way == 2)
    code = CALL_INT(Neighbor_alltoallv, neighbor_alltoallv, mine.data, counts, places, type, theirs.data, counts,
                    places, type, ring_comm);
  note("neighbours %d, form %d: class %d", way, form, class_of(code));
  note_buffer("neighbours", &theirs);
}

/// Between even and odd ranks.
static inline void sides(const struct place* at) {
  const int form = draw(3), way = draw(4), n = draw(3000), root_side = draw(2), mine_is_root = rank % 2 == root_side;
  const struct buffer mine = full_buffer(&shapes[1], n, 0), theirs = empty_buffer(&shapes[1], n * (size / 2 + 1));
  const MPI_Datatype type = MPI_INT64_T;
  const int root = !mine_is_root ? 0 : rank / 2 == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Status status = blank();
  MPI_Request request;
  int code = MPI_SUCCESS;
  (void)at;
  if (way == 0) code = CALL(Bcast, bcast, (mine_is_root ? mine : theirs).data, n, type, root, sides_comm);
  if (way == 1) code = CALL(Allgather, allgather, mine.data, n, type, theirs.data, n, type, sides_comm);
  if (way == 2) code = CALL(Allreduce, allreduce, mine.data, theirs.data, n, type, MPI_SUM, sides_comm);
  if (way == 3 && rank < 2) {
    code = MPI_Sendrecv(mine.data, n, type, 0, scene_tag(0), theirs.data, n, type, MPI_ANY_SOURCE, scene_tag(0),
                        sides_comm, &status);
    note_status("sides", code, &status, type);
  }
  note("sides %d, form %d: class %d", way, form, class_of(code));
  note_buffer("sides", &theirs);
}

#endif
