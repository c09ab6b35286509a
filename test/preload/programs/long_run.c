// SPDX-License-Identifier: MIT
// A long life: `long_run CALLS COMMUNICATORS`. It calls collectives on one communicator, then makes, uses and frees
// communicators. It prints what the ranks hold afterwards beyond what they held after a warm-up; long_run.py judges it.
#include <dirent.h>
#include <malloc.h>
#include <unistd.h>

#include "check.h"

enum { most_elements = 40, column = 5, other_calls = 5 };

static long calls_made;

static long larger(long a, long b) { return a > b ? a : b; }

static void call(enum collective c, long i, int root, MPI_Comm comm) {
  const int n = 1 + (int)(i % most_elements), in_place = c == exscan && i / collective_count % 2;
  ++calls_made;
  expect(try_on(&small_sums, plain_form, c, n, root, in_place, comm) == right_result, "collective");
}

static int64_t matrix[column][2];
static MPI_Datatype column_of_matrix;  // at its absolute address

/// Makes the type only once: MPICH keeps 64 bytes for ever at every MPI_Type_commit.
static void make_type(void) {
  MPI_Aint place;
  MPI_Datatype vector;
  MPI_Get_address(matrix, &place);
  MPI_Type_vector(column, 1, 2, MPI_INT64_T, &vector);
  MPI_Type_create_hindexed_block(1, 1, &place, vector, &column_of_matrix);
  MPI_Type_commit(&column_of_matrix);
  MPI_Type_free(&vector);
}

static void scattered_bcast(long i, MPI_Comm comm) {
  const int root = (int)(i % size);
  for (int k = 0; k < column; ++k) matrix[k][0] = rank == root ? small(root, i + k) : 0;
  MPI_Bcast(MPI_BOTTOM, 1, column_of_matrix, root, comm);
  ++calls_made;
  for (int k = 0; k < column; ++k) expect(matrix[k][0] == small(root, i + k), "scattered broadcast");
}

static void many_calls(long n) {
  for (long i = 0; i < n; ++i)
    if (i % other_calls == 0)
      scattered_bcast(i, MPI_COMM_WORLD);
    else
      call((enum collective)(i % collective_count), i, (int)(i % size), MPI_COMM_WORLD);
}

static void many_communicators(long n) {
  for (long i = 0; i < n; ++i) {
    MPI_Comm comm = grafted_duplicate();
    for (int c = 0; c < collective_count; ++c) call((enum collective)c, i, (int)(i % size), comm);
    MPI_Comm_free(&comm);
  }
}

/// MPI makes room, once, for what a rank sends far ahead of another that sleeps or takes it in.
static void fall_behind_once(int slow) {
  for (int i = 0; i < 2000; ++i) {
    if (rank == slow && i == 0) usleep(50000);
    if (rank == slow && i == 1000) fall_behind(0.05);
    call(bcast, 0, (slow + 1) % size, MPI_COMM_WORLD);
  }
}

static void warm_up(long calls, long communicators) {
  for (int r = 0; r < size; ++r) fall_behind_once(r);
  many_calls(larger(1000, calls / 20));
  many_communicators(larger(50, communicators / 20));
}

/// Memory that is allocated and not freed; memory shows less as long as it fits where more was before.
static long heap_kib(void) {
  const struct mallinfo2 heap = mallinfo2();
  return (long)((heap.uordblks + heap.hblkhd) / 1024);
}

static long resident_kib(void) {
  long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1) exit(2);
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static long open_files(void) {
  long files = 0;
  DIR* folder = opendir("/proc/self/fd");
  if (folder == NULL) exit(2);
  while (readdir(folder) != NULL) ++files;
  closedir(folder);
  return files;
}

static long shared_mappings(void) {
  char line[4096];
  long mappings = 0;
  FILE* file = fopen("/proc/self/maps", "r");
  if (file == NULL) exit(2);
  while (fgets(line, sizeof line, file) != NULL) mappings += strstr(line, "/dev/shm/") != NULL;
  fclose(file);
  return mappings;
}

static long communicators(void) { return -spare_communicators(); }

// A process's holdings, of which more is worse. Memory comes first, because the other looks need some.
static const struct {
  const char* name;
  long (*look)(void);
} holdings[] = {{"memory_kib", resident_kib},
                {"heap_kib", heap_kib},
                {"files", open_files},
                {"shared_mappings", shared_mappings},
                {"communicators", communicators}};
enum { kinds_of_holdings = sizeof holdings / sizeof *holdings };

static void look(long* held) {
  for (int k = 0; k < kinds_of_holdings; ++k) held[k] = holdings[k].look();
}

/// Rank 0 prints the largest growth of any rank.
static void tell_growth(const char* of, const long* before) {
  long growth[kinds_of_holdings], theirs[kinds_of_holdings];
  look(growth);
  for (int k = 0; k < kinds_of_holdings; ++k) growth[k] -= before[k];
  if (rank != 0) MPI_Send(growth, kinds_of_holdings, MPI_LONG, 0, section_tag + 1, MPI_COMM_WORLD);
  for (int r = 1; rank == 0 && r < size; ++r) {
    MPI_Recv(theirs, kinds_of_holdings, MPI_LONG, r, section_tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < kinds_of_holdings; ++k) growth[k] = larger(growth[k], theirs[k]);
  }
  if (rank != 0) return;
  printf("growth over %s:", of);
  for (int k = 0; k < kinds_of_holdings; ++k) printf(" %s %ld", holdings[k].name, growth[k]);
  printf("\n");
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc != 3) exit(2);
  const long calls = atol(argv[1]), number_of_communicators = atol(argv[2]);
  make_type();
  long before[kinds_of_holdings];
  warm_up(calls, number_of_communicators), look(before);
  look(before);
  many_calls(calls);
  tell_growth("calls", before);
  look(before);
  many_communicators(number_of_communicators);
  tell_growth("communicators", before);
  if (rank == 0) printf("calls made: %ld\n", calls_made);
  MPI_Type_free(&column_of_matrix);
  end_section("results");
  return finish();
}
