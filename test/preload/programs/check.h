// SPDX-License-Identifier: MIT
// Functions that the unmodified programs share. They expect what formulas say, never what another collective returned,
// and meet over point-to-point messages: a native collective of 8 ranks on 2 cores takes up to 130 ms.
#ifndef CHECK_H
#define CHECK_H

#include <inttypes.h>
#include <stdio.h>

#include "../../../shim/bench/collectives.h"

#if MPI_VERSION < 4  // Open MPI: the functions that take MPI_Count are those that take int
#define MPI_Scan_c MPI_Scan
#define MPI_Bcast_c MPI_Bcast
#define MPI_Send_c MPI_Send
#define MPI_Ssend_c MPI_Ssend
#define MPI_Isend_c MPI_Isend
#define MPI_Recv_c MPI_Recv
#define MPI_Sendrecv_c MPI_Sendrecv
#endif

enum { section_tag = 9000 };

static int rank, size;
static uint64_t failures, checksum;  // of the current section
static int exit_code = 0;

/// `level` is the thread support that the program needs.
static inline void start_threaded(int* argc, char*** argv, int level) {
  int provided;
  MPI_Init_thread(argc, argv, level, &provided);
  if (provided < level) exit(2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline void start(int* argc, char*** argv) { start_threaded(argc, argv, MPI_THREAD_SINGLE); }

/// Ends a program that cannot do here what it tests, so that its test is skipped.
static inline void skip(const char* why) {
  if (rank == 0) printf("skipped: %s\n", why);
  MPI_Finalize();
  exit(77);
}

/// Does so if Open MPI natively lacks the program's subject or gets it wrong.
static inline void skip_under_open_mpi(const char* why) {
#ifdef OPEN_MPI
  skip(why);
#endif
  (void)why;
}

/// True if the program runs under this version of MPICH or a later one.
static inline int mpich_from(int wanted, int wanted_minor) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, number = 0, minor = 0;
  MPI_Get_library_version(version, &length);
  const int read = sscanf(version, "MPICH Version: %d.%d", &number, &minor);
  return read == 2 && (number > wanted || (number == wanted && minor >= wanted_minor));
}

/// MPICH 5 ends programs by assertions at mistakes that MPICH 4 reports.
static inline int under_mpich_5(void) { return mpich_from(5, 0); }

/// splitmix64 (Steele, Lea, Flood 2014).
static inline uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A random number below `below`.
static inline int draw_by(uint64_t* state, int below) {
  return (int)(mixed(*state += 0x9e3779b97f4a7c15u) % (uint64_t)below);
}

static inline void expect(int ok, const char* what) {
  if (!ok && failures++ == 0) fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
}

static inline int class_of(int code) {
  int class_of_error;
  MPI_Error_class(code, &class_of_error);
  return class_of_error;
}

/// FNV-1a (Fowler, Noll, Vo), begun or continued.
static inline uint64_t checksum_of(uint64_t so_far, const void* bytes, size_t length) {
  const unsigned char* byte = (const unsigned char*)bytes;
  for (size_t i = 0; i < length; ++i) so_far = (so_far ^ byte[i]) * 0x100000001b3u;
  return so_far;
}

static inline void expect_bytes(const void* got, const void* want, size_t bytes, const char* what) {
  expect(memcmp(got, want, bytes) == 0, what);
  checksum = checksum_of(checksum, got, bytes);
}

/// Adds up the numbers of all ranks at rank 0.
static inline void add_up(uint64_t numbers[2]) {
  if (rank != 0) MPI_Send(numbers, 2, MPI_UINT64_T, 0, section_tag, MPI_COMM_WORLD);
  for (int r = 1; rank == 0 && r < size; ++r) {
    uint64_t theirs[2];
    MPI_Recv(theirs, 2, MPI_UINT64_T, r, section_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    numbers[0] += theirs[0], numbers[1] += theirs[1];
  }
}

/// Rank 0 hears from every rank how the section went and prints one line for all of them.
static inline void end_section(const char* name) {
  uint64_t all[2] = {failures, mixed(checksum + (uint64_t)rank)};
  add_up(all);
  if (all[0] != 0) exit_code = 1;
  if (rank == 0) printf("%s: %s 0x%016" PRIx64 "\n", name, all[0] == 0 ? "ok" : "WRONG", all[1]);
  failures = checksum = 0;
}

/// Calls no collective for so many seconds, but lets MPI take in messages for later ones.
static inline void fall_behind(double seconds) {
  const double end = MPI_Wtime() + seconds;
  int found = 0;
  while (MPI_Wtime() < end && !found)
    MPI_Iprobe(MPI_ANY_SOURCE, section_tag - 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  expect(!found, "a message that nobody sent");
}

/// mpigraft leaves a communicator's first calls to MPI, until they have taken a millisecond by its estimate. These
/// carry nothing and cost little; those that follow are grafted.
static inline void use_up_first_calls(MPI_Comm comm) {
  for (int i = 0; i < 2100; ++i) MPI_Bcast(NULL, 0, MPI_BYTE, 0, comm);
}

/// A duplicate of MPI_COMM_WORLD whose next call is grafted.
static inline MPI_Comm grafted_duplicate(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  use_up_first_calls(comm);
  return comm;
}

/// The small sum of these for element `i`; 0 if there are none.
static inline int64_t wanted(enum collective c, int r, int p, int root, int64_t i) {
  const struct ranks sources = sources_of_one(c, r, p, root);
  int64_t sum = 0;
  if (sources.lo < sources.hi) combine_ranks(&small_sums, sources.lo, sources.hi, i, 1, &sum);
  return sum;
}

static enum form checked_form = plain_form;  // of the calls below

/// Only makes the call. `mine` holds `n` elements of this rank, `result` has room for as many.
static inline int call_by(enum collective c, const int64_t* mine, int64_t* result, int n, int root, MPI_Op op,
                          MPI_Comm comm) {
  const struct arguments a = {mine, result, n, MPI_INT64_T, op, root, comm};
  return call_with(c, checked_form, &a);
}

/// The outcome of a call.
enum outcome { wrong_result, right_result, refused_call };

/// Calls `c` on `n` elements of `kind`; right if every byte of both buffers is as it must be, also of an element before
/// and one behind them.
static inline enum outcome try_on(const struct kind* kind, enum form form, enum collective c, int64_t n, int root,
                                  int in_place, MPI_Comm comm) {
  int r, p;
  MPI_Comm_rank(comm, &r);
  MPI_Comm_size(comm, &p);
  const size_t at = kind->size, bytes = (size_t)(n + 2) * kind->size;
  char *input = (char*)filled(bytes), *output = (char*)filled(bytes), *wanted = (char*)filled(bytes);
  kind->make(input + at, n, r, 0);
  if (in_place || input_in_result(c, r, root)) memcpy(output, input, bytes), memcpy(wanted, input, bytes);
  put_result(kind, c, r, p, root, n, wanted + at);
  const struct arguments a = {in_place ? MPI_IN_PLACE : input + at, output + at, n, kind->type, kind->op, root, comm};
  const int error = call_with(c, form, &a);
  int same = memcmp(output, wanted, bytes) == 0;
  memset(wanted, canary, bytes);
  kind->make(wanted + at, n, r, 0);
  same &= memcmp(input, wanted, bytes) == 0;
  free(input), free(output), free(wanted);
  return error != MPI_SUCCESS ? refused_call : same ? right_result : wrong_result;
}

/// The same of small sums by `op`.
static inline enum outcome try_by(MPI_Op op, enum collective c, int n, int root, MPI_Comm comm) {
  struct kind sums = small_sums;
  sums.op = op;
  return try_on(&sums, checked_form, c, n, root, 0, comm);
}

static inline int is_right(enum collective c, int n, int root, MPI_Comm comm) {
  return try_by(MPI_SUM, c, n, root, comm) == right_result;
}

/// The same for every collective. Names those that are wrong.
static inline int all_are_right(int n, int root, MPI_Comm comm) {
  int all_right = 1;
  for (int c = 0; c < collective_count; ++c) {
    if (is_right((enum collective)c, n, root, comm)) continue;
    fprintf(stderr, "wrong: %s of %d elements\n", collective_names[c], n);
    all_right = 0;
  }
  return all_right;
}

/// Calls until mpigraft has set up what nonblocking calls on the communicator need.
static inline void set_up(MPI_Comm comm) {
  use_up_first_calls(comm);
  is_right(allreduce, 1, 0, comm);
}

/// A communicator, and this rank in it.
struct place {
  MPI_Comm comm;
  int rank, size;
};
enum { place_count = 4 };

/// The world, this rank alone, all ranks the other way round, and two halves.
static inline void make_places(struct place* places) {
  places[0].comm = MPI_COMM_WORLD;
  places[1].comm = MPI_COMM_SELF;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &places[2].comm);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &places[3].comm);
  for (int i = 0; i < place_count; ++i) {
    MPI_Comm_rank(places[i].comm, &places[i].rank);
    MPI_Comm_size(places[i].comm, &places[i].size);
  }
}

static inline void free_places(struct place* places) {
  for (int i = 2; i < place_count; ++i) MPI_Comm_free(&places[i].comm);
}

/// How many communicators MPI still makes on this rank; all take their ids from one pool.
static inline int spare_communicators(void) {
  static MPI_Comm made[4096];
  int n = 0;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  while (n < 4096 && MPI_Comm_dup(MPI_COMM_SELF, &made[n]) == MPI_SUCCESS) ++n;
  for (int i = 0; i < n; ++i) MPI_Comm_free(&made[i]);
  return n;
}

/// What a program does if its first argument names it: SCENE(name) { ... }
struct scene {
  const char* name;
  void (*play)(void);
  const struct scene* next;
};
static const struct scene* all_scenes;
#define SCENE(scene_name)                                           \
  static void scene_name(void);                                     \
  __attribute__((constructor)) static void add_##scene_name(void) { \
    static struct scene added = {#scene_name, scene_name, NULL};    \
    added.next = all_scenes, all_scenes = &added;                   \
  }                                                                 \
  static void scene_name(void)

static inline void play_scene(const char* name) {
  const struct scene* scene = all_scenes;
  while (scene != NULL && strcmp(scene->name, name) != 0) scene = scene->next;
  if (scene == NULL) exit(2);
  scene->play();
}

static inline int finish(void) {
  MPI_Finalize();
  return exit_code;
}

static char** scene_words;  // of the command line, behind the scene's name

/// The main function of a program of scenes.
static inline int play_by(int argc, char** argv) {
  start(&argc, &argv);
  if (argc < 2) exit(2);
  scene_words = argv + 2;
  play_scene(argv[1]);
  return finish();
}

#endif
