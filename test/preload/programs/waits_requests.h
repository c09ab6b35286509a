// SPDX-License-Identifier: MIT
// Scenes of requests: started in every way, null, inactive, generalised, cancelled or too short, completed in every
// way.
#ifndef WAITS_REQUESTS_H
#define WAITS_REQUESTS_H

#include "waits_pairs.h"

enum { most_requests = 16, completion_forms = 9 };

/// Requests of a scene, and what each came to.
struct crowd {
  int n;
  MPI_Request requests[most_requests];
  struct buffer buffers[most_requests];
  int receives[most_requests];  // false: a status tells no more than an error
  int codes[most_requests];
  MPI_Status statuses[most_requests];
};

static inline MPI_Request* joining(struct crowd* crowd, const struct buffer* buffer, int receives) {
  const int i = crowd->n++;
  crowd->requests[i] = MPI_REQUEST_NULL;
  crowd->buffers[i] = buffer ? *buffer : (struct buffer){0};
  crowd->receives[i] = receives;
  crowd->codes[i] = MPI_SUCCESS;
  crowd->statuses[i] = blank();
  return &crowd->requests[i];
}

/// Notes completed requests. If several are completed at once, the error of one is in its status.
static inline void completed(struct crowd* crowd, int code, int n, const int* which, const MPI_Status* statuses) {
  for (int i = 0; i < n; ++i) {
    crowd->statuses[which[i]] = statuses[i];
    crowd->codes[which[i]] = code == MPI_ERR_IN_STATUS ? statuses[i].MPI_ERROR : code;
  }
}

static inline void complete_all(int form, struct crowd* c) {
  MPI_Status statuses[most_requests];
  int all[most_requests], flag = 0, code;
  for (int i = 0; i < c->n; ++i) all[i] = i, statuses[i] = blank();
  if (form == 0)
    code = MPI_Waitall(c->n, c->requests, statuses);
  else
    do code = MPI_Testall(c->n, c->requests, &flag, statuses);
    while (!flag && code == MPI_SUCCESS);
  note("all: class %d", class_of(code));
  completed(c, class_of(code) == MPI_ERR_IN_STATUS ? MPI_ERR_IN_STATUS : code, c->n, all, statuses);
  for (int i = 0; i < c->n; ++i)
    if (class_of(c->codes[i]) == MPI_ERR_PENDING) {  // the error of another came first
      c->codes[i] = MPI_Wait(&c->requests[i], &c->statuses[i]);
      c->statuses[i].MPI_ERROR = c->codes[i];
    }
}

/// MPI leaves open which requests are completed together, and so whether a status tells of an error or is untouched
/// there.
static inline void complete_some(int waits, struct crowd* c) {
  MPI_Status statuses[most_requests];
  int which[most_requests], n = 0, total = 0;
  while (n != MPI_UNDEFINED) {
    for (int i = 0; i < c->n; ++i) statuses[i] = blank();
    const int code = (waits ? MPI_Waitsome : MPI_Testsome)(c->n, c->requests, &n, which, statuses);
    if (n == MPI_UNDEFINED) break;
    completed(c, class_of(code) == MPI_ERR_IN_STATUS ? MPI_ERR_IN_STATUS : code, n, which, statuses);
    for (int i = 0; i < n; ++i) c->statuses[which[i]].MPI_ERROR = unset_error;
    total += n;
  }
  note("some: %d", total);
}

static inline void complete_any(int waits, struct crowd* c) {
  int total = 0;
  for (;; ++total) {
    MPI_Status status = blank();
    int which = -5, flag = 1, code;
    do
      code = waits ? MPI_Waitany(c->n, c->requests, &which, &status)
                   : MPI_Testany(c->n, c->requests, &which, &flag, &status);
    while (!flag);
    if (which == MPI_UNDEFINED) {
      note_status("any of none", code, &status, MPI_BYTE);
      break;
    }
    completed(c, code, 1, &which, &status);
  }
  note("any: %d", total);
}

static inline void complete_each(int form, struct crowd* c) {
  for (int k = 0; k < c->n; ++k) {
    const int i = form == 4 ? c->n - 1 - k : k;
    int flag = form == 4;
    while (!flag && form == 5) c->codes[i] = MPI_Test(&c->requests[i], &flag, &c->statuses[i]);
    while (!flag && form == 6) MPI_Request_get_status(c->requests[i], &flag, &c->statuses[i]);
    if (form != 5) c->codes[i] = MPI_Wait(&c->requests[i], &c->statuses[i]);
  }
}

static inline void complete(int form, struct crowd* c) {
  if (form == 0 || form == 1) complete_all(form, c);
  if (form == 2 || form == 3) complete_some(form == 2, c);
  if (form >= 4 && form <= 6) complete_each(form, c);
  if (form == 7 || form == 8) complete_any(form == 7, c);
}

/// 1 if a request is null. From MPICH 4.2 on that is open (-1) beside one with an error, because it depends on the
/// order in which they came.
static inline int state_of(const struct crowd* c, int i, int torn) {
  return torn >= 0 && mpich_from(4, 2) ? -1 : c->requests[i] == MPI_REQUEST_NULL;
}

/// `torn`: MPI leaves open what a message that was too long has written.
static inline void note_crowd(const struct crowd* c, int torn) {
  for (int i = 0; i < c->n; ++i) {
    if (!c->receives[i]) {
      note("sent: class %d, null %d", class_of(c->codes[i]), state_of(c, i, torn));
      continue;
    }
    if (i == torn) {
      note("torn: class %d, source %d, tag %d, null %d", class_of(c->codes[i]), c->statuses[i].MPI_SOURCE,
           c->statuses[i].MPI_TAG, state_of(c, i, torn));
      note_margins("torn", &c->buffers[i]);
      continue;
    }
    const struct shape* shape = c->buffers[i].shape ? c->buffers[i].shape : shapes;
    int cancelled;
    MPI_Test_cancelled(&c->statuses[i], &cancelled);
    if (cancelled && c->buffers[i].data) {  // MPI leaves the rest of its status open
      note("cancelled: class %d", class_of(c->codes[i]));
      continue;
    }
    note_status("request", c->codes[i], &c->statuses[i], shape->type);
    note("null %d", state_of(c, i, torn));
    if (c->buffers[i].data) note_buffer("request", &c->buffers[i]);
  }
}

/// Makes a send in some way; the caller starts persistent ones.
static inline void start_send(int form, const struct buffer* b, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  const MPI_Datatype type = b->shape->type;
  if (form == 0) MPI_Isend(b->data, b->count, type, to, tag, comm, request);
  if (form == 1) MPI_Issend(b->data, b->count, type, to, tag, comm, request);
  if (form == 2) MPI_Ibsend(b->data, b->count, type, to, tag, comm, request);
  if (form == 3) MPI_Isend_c(b->data, b->count, type, to, tag, comm, request);
  if (form == 4) MPI_Send_init(b->data, b->count, type, to, tag, comm, request);
  if (form == 5) MPI_Ssend_init(b->data, b->count, type, to, tag, comm, request);
}

static inline int query(void* state, MPI_Status* status) {
  status->MPI_SOURCE = 5, status->MPI_TAG = 6;
  MPI_Status_set_elements(status, MPI_INT64_T, *(int*)state);
  MPI_Status_set_cancelled(status, *(int*)state % 2);
  return MPI_SUCCESS;
}
static inline int let_go(void* state) { return *(int*)state = -1, MPI_SUCCESS; }
static inline int cancel(void* state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }

/// A ring of several messages at once, in which there may be null requests, generalised ones, receives that are
/// cancelled and one message that is too long.
static inline void ring(const struct place* at) {
  const int k = 1 + draw(4), shift = draw(at->size), completion = draw(completion_forms), receives_first = chance(50);
  const int to = (at->rank + shift) % at->size, from = (at->rank - shift + at->size) % at->size;
  const int torn_one = chance(8) ? draw(k) : -1, general = chance(20), cancels = chance(15), nulls = draw(3);
  int torn = -1, state = 3 + draw(2), bytes = 0, out[4];
  struct crowd crowd = {0};
  struct buffer mine[4], theirs[4];
  for (int i = 0; i < k; ++i) {
    const struct shape* shape = &shapes[draw(shape_count)];
    int count = draw_bytes() / shape->size, more = chance(30) * draw(7);
    if (i == torn_one) count += 5, more = -1 - draw(5);
    mine[i] = full_buffer(shape, count, i), theirs[i] = empty_buffer(shape, count + more);
    out[i] = draw(4), bytes += count * shape->size + MPI_BSEND_OVERHEAD;
  }
  attach(bytes);
  for (int half = 0; half < 2; ++half)
    for (int i = 0; i < k; ++i) {
      if ((half == 0) != receives_first) {
        start_send(out[i], &mine[i], to, scene_tag(i), at->comm, joining(&crowd, &mine[i], 0));
        continue;
      }
      const int any = draw(4);
      if (i == torn_one) torn = crowd.n;
      MPI_Irecv(theirs[i].data, theirs[i].count, theirs[i].shape->type, any == 1 ? MPI_ANY_SOURCE : from,
                any == 2 ? MPI_ANY_TAG : scene_tag(i), at->comm, joining(&crowd, &theirs[i], 1));
    }
  for (int i = 0; i < nulls; ++i) joining(&crowd, NULL, 1);
  if (general) {
    MPI_Request* const request = joining(&crowd, NULL, 1);
    MPI_Grequest_start(query, let_go, cancel, &state, request);
    MPI_Grequest_complete(*request);
  }
  if (cancels) {
    const struct buffer never = empty_buffer(shapes, 9);
    MPI_Request* const request = joining(&crowd, &never, 1);
    MPI_Irecv(never.data, 9, MPI_BYTE, from, scene_tag(9), at->comm, request);
    MPI_Cancel(request);
  }
  complete(completion, &crowd);
  detach();
  note("completed by %d, state %d", completion, state);
  note_crowd(&crowd, torn);
}

/// Started several times; waited for also when inactive.
static inline void persistent(const struct place* at) {
  const int k = 1 + draw(3), shift = draw(at->size), rounds = 1 + draw(3), all = chance(50);
  const int to = (at->rank + shift) % at->size, from = (at->rank - shift + at->size) % at->size;
  const int open = chance(20), completion = draw(completion_forms);
  struct crowd crowd = {0};
  for (int i = 0; i < k; ++i) {
    const struct shape* shape = &shapes[draw(shape_count)];
    const int count = draw_bytes() / shape->size;
    const struct buffer theirs = empty_buffer(shape, count), mine = full_buffer(shape, count, i);
    MPI_Recv_init(theirs.data, count, shape->type, from, scene_tag(i), at->comm, joining(&crowd, &theirs, 1));
    start_send(4 + draw(2), &mine, to, scene_tag(i), at->comm, joining(&crowd, &mine, 0));
  }
  if (open) MPI_Recv_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 1, at->comm, joining(&crowd, NULL, 1));
  for (int round = 0; round < rounds; ++round) {
    complete(completion, &crowd);  // all are inactive
    note_crowd(&crowd, -1);
    if (all) MPI_Startall(crowd.n, crowd.requests);
    for (int i = 0; i < crowd.n && !all; ++i) MPI_Start(&crowd.requests[i]);
    complete((completion + round) % completion_forms, &crowd);
    note_crowd(&crowd, -1);
  }
  for (int i = 0; i < crowd.n; ++i) MPI_Request_free(&crowd.requests[i]);
}

/// Statuses are ignored; what blocks meanwhile waits for another message than those under way.
static inline void unattended(const struct place* at) {
  const int shift = draw(at->size), to = (at->rank + shift) % at->size, from = (at->rank - shift + at->size) % at->size;
  const int count = draw_bytes(), any = chance(50);
  const struct buffer mine = full_buffer(shapes, count, 0), theirs = empty_buffer(shapes, count);
  int which;
  char word = (char)at->rank;
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Isend(mine.data, count, MPI_BYTE, to, scene_tag(0), at->comm, &requests[0]);
  MPI_Irecv(theirs.data, count, MPI_BYTE, from, scene_tag(0), at->comm, &requests[2]);
  MPI_Sendrecv_replace(&word, 1, MPI_BYTE, to, scene_tag(1), from, scene_tag(1), at->comm, MPI_STATUS_IGNORE);
  if (any) MPI_Waitany(3, requests, &which, MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  note("unattended: word %d", word);
  note_buffer("unattended", &theirs);
}

#endif
