// SPDX-License-Identifier: MIT
// Collectives on two communicators, with errors returned. `victim LIMIT RANK` first takes something from that rank:
// open files, the length of files, or the room of /dev/shm (of a mount namespace of its own).
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "attempts.h"

static void set_limit(int resource, rlim_t to) {
  const struct rlimit limit = {to, to};
  if (setrlimit(resource, &limit) != 0) exit(2);
}

static void fill_shared_memory(void) {
  static char page[1 << 16];
  const int file = open("/dev/shm/filler", O_WRONLY | O_CREAT, 0600);
  if (file < 0) exit(2);
  while (write(file, page, sizeof page) > 0) continue;
  close(file);
}

static void take(const char* what) {
  if (strcmp(what, "files") == 0) set_limit(RLIMIT_NOFILE, 0);
  if (strcmp(what, "length") == 0) set_limit(RLIMIT_FSIZE, 0);
  if (strcmp(what, "shm") == 0) fill_shared_memory();
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm twin = grafted_duplicate();
  if (argc > 2 && atoi(argv[2]) == rank) take(argv[1]);
  attempt_all(MPI_COMM_WORLD);
  attempt_all(twin);
  attempt_all(MPI_COMM_WORLD);
  MPI_Comm_free(&twin);
  return conclude();
}
