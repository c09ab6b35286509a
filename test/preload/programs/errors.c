// SPDX-License-Identifier: MIT
// Wrong arguments: prints the error class of each and how often the communicator's handler was called. The same
// lines come out with and without a preload.
#include "../../checked_call.h"
#include "check.h"

static int64_t in[4], out[4];
static int handler_calls, wrong_handles;
static MPI_Comm handled;

static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)code;
  ++handler_calls;
  wrong_handles += *comm != handled;
}

/// A wrong call. Only broadcasts have negative counts: MPICH 4.0.2 crashes when it words that error of the others.
struct mistake {
  const char* name;
  enum collective collective;
  const void* send;
  int count;
  MPI_Datatype type;
  MPI_Op op;
  int root;
};

static int make(const struct mistake* m, MPI_Comm comm) {
  return call_with(m->collective, plain_form,
                   &(struct arguments){m->send, out, m->count, m->type, m->op, m->root, comm});
}

static void report(const struct mistake* m, const char* where, int code) {
  int class_of_error, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Error_class(code, &class_of_error);
  MPI_Error_string(class_of_error, text, &length);
  expect_bytes(&class_of_error, &class_of_error, sizeof class_of_error, "");  // into the checksum of all ranks
  if (rank == 0) printf("%s, %s: %s\n", m->name, where, text);
}

static void make_all(MPI_Comm comm, const char* where) {
  MPI_Datatype uncommitted;
  MPI_Type_contiguous(2, MPI_INT64_T, &uncommitted);
  const struct mistake mistakes[] = {
      {"broadcast of a negative count", bcast, NULL, -1, MPI_INT64_T, MPI_SUM, 0},
      {"broadcast from a root too high", bcast, NULL, 1, MPI_INT64_T, MPI_SUM, size},
      {"reduction to a negative root", reduce, in, 1, MPI_INT64_T, MPI_SUM, -1},
      {"scan into its send buffer", scan, out, 1, MPI_INT64_T, MPI_SUM, 0},
      {"exclusive scan into its send buffer", exscan, out, 1, MPI_INT64_T, MPI_SUM, 0},
      {"scan of a null buffer", scan, NULL, 1, MPI_INT64_T, MPI_SUM, 0},
      {"scan without an operator", scan, in, 1, MPI_INT64_T, MPI_OP_NULL, 0},
      {"reduction without an operator", reduce, in, 1, MPI_INT64_T, MPI_OP_NULL, 0},
      {"scan by MPI_REPLACE", scan, in, 1, MPI_INT64_T, MPI_REPLACE, 0},
      {"reduction by MPI_NO_OP", reduce, in, 1, MPI_INT64_T, MPI_NO_OP, 0},
      {"sum of bytes", exscan, in, 1, MPI_BYTE, MPI_SUM, 0},
      {"bitwise and of doubles", reduce, in, 1, MPI_DOUBLE, MPI_BAND, 0},
      {"sum of a derived type", scan, in, 1, uncommitted, MPI_SUM, 0},
      {"scan of no type", scan, in, 1, MPI_DATATYPE_NULL, MPI_SUM, 0},
      {"broadcast of no type", bcast, NULL, 1, MPI_DATATYPE_NULL, MPI_SUM, 0},
      {"broadcast of an uncommitted type", bcast, NULL, 1, uncommitted, MPI_SUM, 0},
  };
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
    if (mistakes[i].collective == scan && mistakes[i].type == MPI_DATATYPE_NULL && under_mpich_5()) continue;
    report(&mistakes[i], where, make(&mistakes[i], comm));
  }
  MPI_Type_free(&uncommitted);
}

/// Runs on one rank: with more, only the root would be wrong, and the others' messages would meet later calls.
static void alias_at_root(void) {
  const struct mistake alias = {"reduction into its send buffer", reduce, out, 1, MPI_INT64_T, MPI_SUM, 0};
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  report(&alias, "self", make(&alias, MPI_COMM_SELF));
}

int main(int argc, char** argv) {
  MPI_Errhandler handler;
  start(&argc, &argv);
  skip_under_open_mpi("it crashes on arguments that MPICH refuses");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  make_all(MPI_COMM_WORLD, "world");
  alias_at_root();
  MPI_Comm_dup(MPI_COMM_WORLD, &handled);
  use_up_first_calls(handled);
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(handled, handler);
  make_all(handled, "duplicate");
  expect_bytes(&handler_calls, &handler_calls, sizeof handler_calls, "");
  if (rank == 0) printf("handler called %d times\n", handler_calls);
  expect(wrong_handles == 0, "the handler was given another communicator");
  for (int c = 0; c < collective_count; ++c) expect(is_right(c, 7, 0, handled), "a collective after the mistakes");
  end_section("all mistakes");
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&handled);
  return finish();
}
