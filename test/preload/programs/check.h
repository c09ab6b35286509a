// SPDX-License-Identifier: MIT
// Functions that the unmodified programs share. They expect what formulas say, never what another collective returned,
// and meet over point-to-point messages: a native collective of 8 ranks on 2 cores takes up to 130 ms.
#ifndef CHECK_H
#define CHECK_H

#include <inttypes.h>
#include <stdio.h>

#include "../../../shim/bench/kinds.h"

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

/// Ends a program whose subject Open MPI natively lacks or gets wrong, so that its test is skipped.
static inline void skip_under_open_mpi(const char* why) {
#ifdef OPEN_MPI
  if (rank == 0) printf("skipped under Open MPI: %s\n", why);
  MPI_Finalize();
  exit(77);
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

static inline void expect(int ok, const char* what) {
  if (!ok && failures++ == 0) fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
}

static inline void expect_bytes(const void* got, const void* want, size_t bytes, const char* what) {
  const unsigned char* byte = (const unsigned char*)got;
  expect(memcmp(got, want, bytes) == 0, what);
  for (size_t i = 0; i < bytes; ++i) checksum = (checksum ^ byte[i]) * 0x100000001b3u;
}

/// Rank 0 hears from every rank how the section went and prints one line for all of them.
static inline void end_section(const char* name) {
  uint64_t mine[2] = {failures, checksum};
  if (rank != 0) MPI_Send(mine, 2, MPI_UINT64_T, 0, section_tag, MPI_COMM_WORLD);
  for (int r = 1; rank == 0 && r < size; ++r) {
    uint64_t theirs[2];
    MPI_Recv(theirs, 2, MPI_UINT64_T, r, section_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mine[0] += theirs[0];
    mine[1] = mine[1] * 0x100000001b3u + theirs[1];
  }
  if (mine[0] != 0) exit_code = 1;
  if (rank == 0) printf("%s: %s 0x%016" PRIx64 "\n", name, mine[0] == 0 ? "ok" : "WRONG", mine[1]);
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

/// mpigraft leaves a communicator's first calls to MPI. These carry nothing and cost nothing; those that follow are
/// grafted.
static inline void use_up_first_calls(MPI_Comm comm) {
  for (int i = 0; i < 64; ++i) MPI_Bcast(NULL, 0, MPI_BYTE, 0, comm);
}

static inline int finish(void) {
  MPI_Finalize();
  return exit_code;
}

#endif
