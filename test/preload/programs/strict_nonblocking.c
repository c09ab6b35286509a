// SPDX-License-Identifier: MIT
// MPIGRAFT_FORCE=strict with an algorithm for commutative operators only: a nonblocking reduction with another operator
// is an error and starts nothing.
#include "check.h"

int main(int argc, char** argv) {
  MPI_Op op;
  MPI_Request request = MPI_REQUEST_NULL;
  int64_t mine = 0, result = 0;
  int class;
  start(&argc, &argv);
  MPI_Op_create(add_integers, 0, &op);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  mine = rank + 1;
  MPI_Allreduce(&mine, &result, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);  // sets the communicator up
  MPI_Error_class(MPI_Iallreduce(&mine, &result, 1, MPI_INT64_T, op, MPI_COMM_WORLD, &request), &class);
  expect(class == MPI_ERR_OTHER && request == MPI_REQUEST_NULL, "refused");
  MPI_Iallreduce(&mine, &result, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(result == (int64_t)size * (size + 1) / 2, "the next");
  end_section("strict");
  MPI_Op_free(&op);
  return finish();
}
