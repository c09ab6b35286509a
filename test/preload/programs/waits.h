// SPDX-License-Identifier: MIT
// Functions that the scenes of random_waits.c share: a generator from which all ranks draw alike, buffers of which
// every byte counts, and a record of all that MPI tells.
#ifndef WAITS_H
#define WAITS_H

#include <stdarg.h>
#include <unistd.h>

#include "check.h"

// GCC takes MPI_STATUSES_IGNORE for an array that is too short.
#pragma GCC diagnostic ignored "-Wstringop-overflow"

enum { margin = 64, most_ranks = 64, shape_count = 4, tags_of_a_scene = 16, unset_error = MPI_ERR_IO };

static uint64_t generator, digest;
static int scene_number, verbose;

/// All ranks draw the same as long as they draw as often. A scene begins anew, whatever was drawn before it.
static inline int draw(int below) { return draw_by(&generator, below); }
static inline int chance(int percent) { return draw(100) < percent; }

static inline void digest_bytes(const void* bytes, size_t length) {
  const char* from = bytes;
  for (; length >= 8; from += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, from, 8);
    digest = (digest ^ word) * 0x9fb21c651e98df25u;
    digest ^= digest >> 29;
  }
  for (; length > 0; ++from, --length) digest = (digest ^ (unsigned char)*from) * 0x100000001b3u;
}

/// One line of the record, of which runs are compared by digest; `verbose` prints it, too.
__attribute__((format(printf, 1, 2))) static inline void note(const char* format, ...) {
  char line[300];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  digest_bytes(line, (size_t)length);
  if (verbose) printf("scene %d rank %d: %s\n", scene_number, rank, line), fflush(stdout);
}

static inline int class_of(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
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

/// A datatype, and the bytes of one element without and with its holes.
struct shape {
  MPI_Datatype type;
  int size, extent;
};
static struct shape shapes[shape_count];

/// Shapes with sizes that long messages can be cut at: MPICH 4.0 now and then calls messages of 11-byte elements
/// truncated.
static inline void make_shapes(void) {
  const int places[] = {1, 3}, lengths[] = {1, 4};
  const MPI_Aint offsets[] = {8, 1};
  const MPI_Datatype members[] = {MPI_INT32_T, MPI_CHAR};
  MPI_Datatype dense, mixture;
  shapes[0] = (struct shape){MPI_BYTE, 1, 1};
  shapes[1] = (struct shape){MPI_INT64_T, 8, 8};
  MPI_Type_create_indexed_block(2, 1, places, MPI_UINT32_T, &dense);
  MPI_Type_create_resized(dense, 0, 20, &shapes[2].type);
  shapes[2].size = 8, shapes[2].extent = 20;
  MPI_Type_create_struct(2, lengths, offsets, members, &mixture);
  MPI_Type_create_resized(mixture, 0, 24, &shapes[3].type);
  shapes[3].size = 8, shapes[3].extent = 24;
  for (int i = 2; i < shape_count; ++i) MPI_Type_commit(&shapes[i].type);
  MPI_Type_free(&dense), MPI_Type_free(&mixture);
}

static inline void free_shapes(void) {
  for (int i = 2; i < shape_count; ++i) MPI_Type_free(&shapes[i].type);
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
  uint64_t x = mixed((uint64_t)scene_number * 1000003u + (uint64_t)(rank * 64 + salt));
  for (size_t i = 0; i < buffer.bytes; i += 8, x += 0x9e3779b97f4a7c15u) {
    const uint64_t word = x ^ (x >> 31);
    memcpy(buffer.data + i, &word, buffer.bytes - i < 8 ? buffer.bytes - i : 8);
  }
  return buffer;
}

/// Records all bytes of a buffer and its margins.
static inline void note_buffer(const char* what, const struct buffer* buffer) {
  const uint64_t before = digest;
  digest = 0;
  digest_bytes(buffer->data - margin, buffer->bytes + 2 * margin);
  const uint64_t of_buffer = digest;
  digest = before;
  note("%s: %zu bytes 0x%016" PRIx64, what, buffer->bytes, of_buffer);
}

/// Records only the margins: for results whose bytes MPI leaves open.
static inline void note_margins(const char* what, const struct buffer* buffer) {
  int whole = 1;
  for (int i = 1; i <= margin; ++i)
    whole &= (unsigned char)buffer->data[-i] == canary && (unsigned char)buffer->data[buffer->bytes + i - 1] == canary;
  note("%s: margins %s", what, whole ? "whole" : "WRITTEN");
}

static inline int scene_tag(int i) { return scene_number % 2000 * tags_of_a_scene + i; }

#endif
