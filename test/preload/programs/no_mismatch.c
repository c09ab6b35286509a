// SPDX-License-Identifier: MIT
// Calls in which ranks differ, and may: on communicators of their own, on ones that they use in different orders, and
// after an error handler has left a call by a jump.
#include <setjmp.h>

#include "check.h"

static jmp_buf before_error;

static void jump(MPI_Comm* comm, int* error, ...) {
  (void)comm, (void)error;
  longjmp(before_error, 1);
}

static __attribute__((noinline)) void overwrite_stack(int pages) {
  volatile char page[4096];
  memset((void*)page, 0xff, sizeof page);
  if (pages > 0) overwrite_stack(pages - 1);
}

static int cannot_delete(MPI_Comm comm, int key, void* attribute, void* extra) {
  (void)comm, (void)key, (void)attribute, (void)extra;
  return MPI_ERR_OTHER;
}

/// MPI refuses to free its own communicator, and one with an attribute that cannot be deleted. What lay on the stack
/// then is overwritten by what comes later.
static void jump_out_of_free(MPI_Comm kept) {
  MPI_Errhandler handler;
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, cannot_delete, &key, NULL);
  expect(all_are_right(3, 0, kept), "before a jump");
  MPI_Comm_create_errhandler(jump, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(kept, handler);
  for (volatile int i = 0; i < 3; ++i) {
    MPI_Comm freed = kept;
    if (kept != MPI_COMM_WORLD) MPI_Comm_set_attr(kept, key, NULL);
    if (!setjmp(before_error)) MPI_Comm_free(&freed), expect(0, "a communicator was freed");
  }
  MPI_Comm_set_errhandler(kept, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  for (int i = 0; i < 5; ++i) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    overwrite_stack(16);
    use_up_first_calls(comm);
    expect(all_are_right(3, 0, comm), "after a jump");
    MPI_Comm_free(&comm);
    overwrite_stack(16);
    expect(all_are_right(3, 0, kept), "on the communicator that could not be freed");
  }
  MPI_Comm_free_keyval(&key);
  end_section("after a jump");
}

static void alone(void) {
  char bytes[64] = {0};
  MPI_Bcast(bytes, 4 + rank, MPI_BYTE, 0, MPI_COMM_SELF);
  if (rank == 0) MPI_Barrier(MPI_COMM_SELF);
  int64_t one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT64_T, rank % 2 ? MPI_SUM : MPI_MAX, MPI_COMM_SELF);
  expect(sum == 1, "an allreduce of one rank");
  end_section("alone");
}

/// Even ranks use one of two communicators first, odd ones the other.
static void in_other_orders(void) {
  enum { tag = 3 };
  MPI_Comm comms[2];
  MPI_Request requests[2];
  char bytes[8] = {0};
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_idup(MPI_COMM_WORLD, &comms[i], &requests[i]);
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < 2; ++i) MPI_Send(NULL, 0, MPI_BYTE, (rank + 1) % size, tag, comms[(i + rank) % 2]);
  for (int i = 0; i < 2; ++i) MPI_Recv(NULL, 0, MPI_BYTE, (rank + size - 1) % size, tag, comms[i], MPI_STATUS_IGNORE);
  for (int i = 0; i < 2; ++i) MPI_Bcast(bytes, 4 + 4 * i, MPI_BYTE, 0, comms[i]);
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
  end_section("in other orders");
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  skip_under_open_mpi("it ends the program in MPI_Comm_free");
  alone();
  in_other_orders();
  jump_out_of_free(MPI_COMM_WORLD);
  MPI_Comm copy = grafted_duplicate();
  jump_out_of_free(copy);
  return finish();
}
