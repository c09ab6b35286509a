// SPDX-License-Identifier: MIT
// Many communicators come and go, freed in different orders; the program's attribute callbacks run for its own
// duplicates only.
#include "check.h"

static int copies, deletions;

static int on_copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* keep) {
  (void)comm, (void)keyval, (void)extra;
  ++copies;
  *(void**)out = in;
  *keep = 1;
  return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int keyval, void* attribute, void* extra) {
  (void)comm, (void)keyval, (void)attribute, (void)extra;
  ++deletions;
  return MPI_SUCCESS;
}

/// One duplicate and one reversal, used, then freed in an order that differs between ranks.
static void come_and_go(int i) {
  MPI_Comm comms[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
  for (int k = 0; k < 2; ++k) use_up_first_calls(comms[k]);
  for (int k = 0; k < 2; ++k) expect(is_right((i + k) % collective_count, 3, i % size, comms[k]), "collective");
  for (int k = 0; k < 2; ++k) MPI_Comm_free(&comms[(k + rank) % 2]);
}

/// Communicators with the ranks in order and reversed, in turn, under a handle that comes again: first calls, then
/// grafted ones.
static void under_one_handle(void) {
  MPI_Comm first = MPI_COMM_NULL, comm;
  for (int i = 0; i < 6; ++i, MPI_Comm_free(&comm)) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? -rank : rank, &comm);
    if (i == 0) first = comm;
    expect(comm == first, "this MPI does not use the handle again");
    if (i > 1) use_up_first_calls(comm);
    expect(is_right(scan, 3, 0, comm), "collective");
    expect(is_right(scan, 3, 0, comm), "collective again");
  }
}

int main(int argc, char** argv) {
  int keyval;
  start(&argc, &argv);
  const int pairs = size == 2 ? 150 : 15;  // with more ranks than cores, making one takes up to 100 ms
  MPI_Comm_create_keyval(on_copy, on_delete, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, NULL);
  for (int i = 0; i < pairs; ++i) come_and_go(i);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
  MPI_Comm_free_keyval(&keyval);
  expect(copies == pairs && deletions == pairs + 1, "calls of the attribute callbacks");
  end_section("communicators");
  under_one_handle();
  end_section("under one handle");
  return finish();
}
