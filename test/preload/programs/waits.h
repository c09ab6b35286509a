// SPDX-License-Identifier: MIT
// What the scenes of random_waits.c share: a generator from which all ranks draw alike, buffers of which every byte
// counts, and a record of all that MPI tells.
#ifndef WAITS_H
#define WAITS_H

#include <stdarg.h>

#include "check.h"

// GCC takes MPI_STATUSES_IGNORE for an array that is too short.
#pragma GCC diagnostic ignored "-Wstringop-overflow"

enum { margin = 64, shape_count = 3, tags_of_a_scene = 16, most_requests = 16, unset_error = MPI_ERR_IO };

static uint64_t generator;
static int scene_number, verbose;

/// All ranks draw the same as long as they draw as often. A scene begins anew, whatever was drawn before it.
static inline int draw(int below) { return draw_by(&generator, below); }
static inline int chance(int percent) { return draw(100) < percent; }

/// One line of the record, of which runs are compared by the checksum; `verbose` prints it, too.
__attribute__((format(printf, 1, 2))) static inline void note(const char* format, ...) {
  char line[300];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  checksum = checksum_of(checksum, line, (size_t)length);
  if (verbose) printf("scene %d rank %d: %s\n", scene_number, rank, line), fflush(stdout);
}

/// A status that MPI has not written shows as such.
static inline MPI_Status blank(void) {
  MPI_Status status;
  memset(&status, 0, sizeof status);
  status.MPI_SOURCE = status.MPI_TAG = -99, status.MPI_ERROR = unset_error;
  return status;
}

static inline void note_status(const char* of, int code, const MPI_Status* status, MPI_Datatype type) {
  int count, cancelled;
  MPI_Count elements;
  MPI_Get_count(status, type, &count);
  MPI_Get_elements_x(status, type, &elements);
  MPI_Test_cancelled(status, &cancelled);
  note("%s: class %d, source %d, tag %d, error %d, count %d, elements %lld%s", of, class_of(code), status->MPI_SOURCE,
       status->MPI_TAG, class_of(status->MPI_ERROR), count, (long long)elements, cancelled ? ", cancelled" : "");
}

/// A datatype, and the bytes of one element without and with its holes. Long messages can be cut at their sizes: MPICH
/// 4.0 now and then calls messages of 11-byte elements truncated.
struct shape {
  MPI_Datatype type;
  int size, extent;
};
static struct shape shapes[shape_count];

static inline void make_shapes(const struct kind* gappy) {
  shapes[0] = (struct shape){MPI_BYTE, 1, 1};
  shapes[1] = (struct shape){MPI_INT64_T, 8, 8};
  shapes[2] = (struct shape){gappy->type, 8, (int)gappy->size};
}

/// Lengths around those at which MPICH and UCX change how they send.
static inline int draw_bytes(void) {
  const int percent = draw(1000);
  if (percent < 150) return 0;
  if (percent < 600) return 1 + draw(200);
  if (percent < 800) return 8000 + draw(500);
  if (percent < 930) return 65000 + draw(6000);
  return percent < 998 ? 250000 + draw(60000) : 3000000 + draw(10);
}

/// Memory of a scene; all of it is free again in the next one.
static char* pool;
static size_t pool_used;
enum { pool_bytes = 1 << 28 };

static inline char* taken(size_t bytes) {
  char* const memory = pool + pool_used;
  pool_used += (bytes + 63) / 64 * 64;
  if (pool_used > pool_bytes) fprintf(stderr, "a scene needs too much memory\n"), exit(2);
  return memory;
}

struct buffer {
  char* data;
  size_t bytes;
  int count;
  const struct shape* shape;
};

/// A buffer of canaries, with more of them before and behind it.
static inline struct buffer empty_buffer(const struct shape* shape, int count) {
  const size_t bytes = (size_t)count * (size_t)shape->extent;
  char* const memory = taken(bytes + 2 * margin);
  memset(memory, canary, bytes + 2 * margin);
  return (struct buffer){memory + margin, bytes, count, shape};
}

/// A buffer of bytes that depend on scene, rank and `salt`, in the holes, too.
static inline struct buffer full_buffer(const struct shape* shape, int count, int salt) {
  const struct buffer buffer = empty_buffer(shape, count);
  const uint64_t seed = mixed((uint64_t)scene_number * 1000003u + (uint64_t)(rank * 64 + salt));
  for (size_t i = 0; i < buffer.bytes; ++i) buffer.data[i] = (char)((seed + i) * 0x9e3779b97f4a7c15u >> 32);
  return buffer;
}

/// Records all bytes of a buffer and its margins, or only that these are whole: of a message that was too long MPI
/// leaves open what it has written.
static inline void note_buffer(const char* what, const struct buffer* buffer, int is_torn) {
  const size_t all = buffer->bytes + 2 * margin;
  int whole = 1;
  for (int i = 1; i <= margin; ++i)
    whole &= (unsigned char)buffer->data[-i] == canary && (unsigned char)buffer->data[buffer->bytes + i - 1] == canary;
  const uint64_t sum = is_torn ? 0 : checksum_of(0, buffer->data - margin, all);
  note("%s: %zu bytes 0x%016" PRIx64 ", margins %s", what, buffer->bytes, sum, whole ? "whole" : "WRITTEN");
}

static inline int scene_tag(int i) { return scene_number % 2000 * tags_of_a_scene + i; }

// How a message is sent: begun, made persistent, or to its end.
enum send { isend, issend, ibsend, isend_large, send_init, ssend_init, send, ssend, bsend, send_large, ssend_large };

/// Memory for MPI_Bsend and MPI_Ibsend; detaching it waits until their messages are on their way.
static inline void attach(int bytes) {
  const int size_of_it = bytes + MPI_BSEND_OVERHEAD + 1000;
  MPI_Buffer_attach(taken((size_t)size_of_it), size_of_it);
}
static inline void detach(void) {
  void* memory;
  int bytes;
  MPI_Buffer_detach(&memory, &bytes);
  note("detached %d bytes", bytes);
}

static inline int send_by(enum send form, const struct buffer* b, int to, int tag, MPI_Comm comm,
                          MPI_Request* request) {
#define MESSAGE b->data, b->count, b->shape->type, to, tag, comm
  if (form == isend) return MPI_Isend(MESSAGE, request);
  if (form == issend) return MPI_Issend(MESSAGE, request);
  if (form == ibsend) return MPI_Ibsend(MESSAGE, request);
  if (form == isend_large) return MPI_Isend_c(MESSAGE, request);
  if (form == send_init) return MPI_Send_init(MESSAGE, request);
  if (form == ssend_init) return MPI_Ssend_init(MESSAGE, request);
  if (form == send) return MPI_Send(MESSAGE);
  if (form == ssend) return MPI_Ssend(MESSAGE);
  if (form == bsend) return MPI_Bsend(MESSAGE);
  if (form == send_large) return MPI_Send_c(MESSAGE);
  return MPI_Ssend_c(MESSAGE);
}

/// Requests of a scene, and what each came to.
struct crowd {
  int n;
  MPI_Request requests[most_requests];
  struct buffer buffers[most_requests];
  enum member {
    sends,
    receives,
    waits
  } members[most_requests];  // of one that sends, a status tells no more than an error
  int codes[most_requests];
  MPI_Status statuses[most_requests];
};

static inline MPI_Request* joining(struct crowd* crowd, enum member member, const struct buffer* buffer) {
  const int i = crowd->n++;
  crowd->requests[i] = MPI_REQUEST_NULL;
  crowd->buffers[i] = buffer ? *buffer : (struct buffer){.shape = shapes};
  crowd->members[i] = member;
  crowd->codes[i] = MPI_SUCCESS;
  crowd->statuses[i] = blank();
  return &crowd->requests[i];
}

// How requests are completed: by calls for all, for some, for any, or one after the other.
enum completion {
  waitall,
  testall,
  waitsome,
  testsome,
  waitany,
  testany,
  wait_back,
  test,
  get_status,
  completion_forms
};

/// One call; tells which it has completed, and how many: MPI_UNDEFINED if none was active.
static inline int complete_by(enum completion form, struct crowd* c, int* n, int* which, MPI_Status* statuses) {
  int flag = 1, code = MPI_SUCCESS;
  for (int i = 0; i < c->n; ++i) which[i] = i, statuses[i] = blank();
  *n = form <= testall ? c->n : 1;
  if (form == waitall) return MPI_Waitall(c->n, c->requests, statuses);
  if (form == waitsome) return MPI_Waitsome(c->n, c->requests, n, which, statuses);
  if (form == testsome) return MPI_Testsome(c->n, c->requests, n, which, statuses);
  do {
    if (form == testall) code = MPI_Testall(c->n, c->requests, &flag, statuses);
    if (form == testany) code = MPI_Testany(c->n, c->requests, which, &flag, statuses);
  } while (!flag && code == MPI_SUCCESS);
  if (form == waitany) code = MPI_Waitany(c->n, c->requests, which, statuses);
  if (*which == MPI_UNDEFINED) *n = MPI_UNDEFINED;
  return code;
}

/// MPI leaves open which requests are completed together by a call for some, and so whether a status tells of an error
/// or is untouched there.
static inline void complete_together(enum completion form, struct crowd* c) {
  MPI_Status statuses[most_requests];
  int which[most_requests], n, total = 0;
  do {
    const int code = complete_by(form, c, &n, which, statuses), in_status = class_of(code) == MPI_ERR_IN_STATUS;
    if (form <= testall) note("all: class %d", class_of(code));
    if (n == MPI_UNDEFINED) note_status("of none", code, statuses, MPI_BYTE);
    for (int k = 0; k < n; ++k) {
      const int i = which[k];
      c->statuses[i] = statuses[k], c->codes[i] = in_status ? statuses[k].MPI_ERROR : code;
      if (form == waitsome || form == testsome) c->statuses[i].MPI_ERROR = unset_error;
      if (class_of(c->codes[i]) != MPI_ERR_PENDING) continue;  // the error of another came first
      c->statuses[i].MPI_ERROR = c->codes[i] = MPI_Wait(&c->requests[i], &c->statuses[i]);
    }
    total += n == MPI_UNDEFINED ? 0 : n;
  } while (form > testall && n != MPI_UNDEFINED);
  note("completed by %d: %d", form, total);
}

static inline void complete(enum completion form, struct crowd* c) {
  if (form < wait_back) complete_together(form, c);
  for (int k = 0; k < c->n && form >= wait_back; ++k) {
    const int i = form == wait_back ? c->n - 1 - k : k;
    int flag = form == wait_back;
    while (!flag && form == test) c->codes[i] = MPI_Test(&c->requests[i], &flag, &c->statuses[i]);
    while (!flag) MPI_Request_get_status(c->requests[i], &flag, &c->statuses[i]);
    if (form != test) c->codes[i] = MPI_Wait(&c->requests[i], &c->statuses[i]);
  }
}

/// From MPICH 4.2 on MPI leaves open which requests it has let go of beside one with an error (`torn`): that depends on
/// the order in which they came.
static inline int release_is_open(int torn) { return torn >= 0 && mpich_from(4, 2); }

/// `torn`: the receive, if not -1, of a message that was too long.
static inline void note_crowd(const struct crowd* c, int torn) {
  for (int i = 0; i < c->n; ++i) {
    const MPI_Status* const status = &c->statuses[i];
    int cancelled;
    MPI_Test_cancelled(status, &cancelled);
    const int is_null = release_is_open(torn) ? -1 : c->requests[i] == MPI_REQUEST_NULL;
    note("request: class %d, null %d", class_of(c->codes[i]), is_null);
    if (c->members[i] == sends) continue;
    if (cancelled && c->members[i] == receives) continue;  // MPI leaves the rest of its status open
    if (i == torn)
      note("torn: source %d, tag %d", status->MPI_SOURCE, status->MPI_TAG);
    else
      note_status("request", c->codes[i], status, c->buffers[i].shape->type);
    if (c->members[i] == receives) note_buffer("request", &c->buffers[i], i == torn);
  }
}

#endif
