// SPDX-License-Identifier: MIT
// Files through MPI, whose library calls collectives of its own, and the program's between: 2 scans, 2 broadcasts.
// `files FOLDER`.
#include "../../preload/programs/check.h"

enum { numbers = 5000 };

static MPI_Datatype every_other_of_all(void) {
  MPI_Datatype type;
  MPI_Type_vector(numbers, 1, size, MPI_INT64_T, &type);
  MPI_Type_commit(&type);
  return type;
}

int main(int argc, char** argv) {
  static int64_t mine[numbers], back[numbers];
  char name[1000];
  MPI_File file;
  start(&argc, &argv);
  snprintf(name, sizeof name, "%s/numbers", argc > 1 ? argv[1] : ".");
  MPI_Datatype view = every_other_of_all();
  for (int i = 0; i < numbers; ++i) mine[i] = small(rank, i);
  expect(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS,
         "MPI_File_open");
  expect(is_right(scan, 9, 0, MPI_COMM_WORLD), "scan");
  MPI_File_set_view(file, rank * (MPI_Offset)sizeof *mine, MPI_INT64_T, view, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, mine, numbers, MPI_INT64_T, MPI_STATUS_IGNORE);
  expect(is_right(bcast, 9, size - 1, MPI_COMM_WORLD), "broadcast");
  MPI_File_sync(file);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read_all(file, back, numbers, MPI_INT64_T, MPI_STATUS_IGNORE);
  expect_bytes(back, mine, sizeof mine, "what was written");
  expect(is_right(scan, 700, 0, MPI_COMM_WORLD), "scan");
  MPI_File_write_ordered(file, mine, 3, MPI_INT64_T, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  expect(is_right(bcast, 9, 0, MPI_COMM_WORLD), "broadcast");
  MPI_Type_free(&view);
  end_section("files");
  return finish();
}
