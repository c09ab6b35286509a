// SPDX-License-Identifier: MIT
// User operators that do more than combine: `operators DEED COLLECTIVE [later]`. After "throw" the calls
// go on, after "throw_all" the program gives up; "scan_self" and its like call that collective on one rank alone.
// "later": the calls are nonblocking ones.
#include <stdexcept>
#include <string>
#include <utility>

#include "attempts.h"

namespace {

const char* deed;
MPI_Comm self_twin;

bool is(const char* name) { return strcmp(deed, name) == 0; }

void talk_to_self() {
  int64_t one = 1, two = 0;
  for (int c = 0; c < collective_count; ++c)
    if (is((std::string(collective_names[c]) + "_self").c_str()))
      call_by(static_cast<collective>(c), &one, &two, 1, 0, MPI_SUM, c % 2 ? self_twin : MPI_COMM_SELF);
  if (is("other_self")) MPI_Alltoall(&one, 1, MPI_INT64_T, &two, 1, MPI_INT64_T, self_twin);
  if (is("reduce_local")) MPI_Reduce_local(&one, &two, 1, MPI_INT64_T, MPI_SUM);
  if (is("sendrecv_self"))
    MPI_Sendrecv(&one, 1, MPI_INT64_T, 0, 1, &two, 1, MPI_INT64_T, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

void ask() {
  int answer = 0;
  MPI_Comm twin;
  if (is("comm_rank")) MPI_Comm_rank(MPI_COMM_WORLD, &answer);
  if (is("type_size")) MPI_Type_size(MPI_INT64_T, &answer);
  if (is("wtime")) MPI_Wtime();
  if (is("probe")) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &answer, MPI_STATUS_IGNORE);
  if (is("dup_self") && MPI_Comm_dup(MPI_COMM_SELF, &twin) == MPI_SUCCESS) MPI_Comm_free(&twin);
  if (is("wrong_call")) MPI_Bcast(nullptr, -1, MPI_INT64_T, 0, self_twin);
  if (is("abort")) MPI_Abort(MPI_COMM_WORLD, 7);
}

void operation(void* in, void* inout, int* n, MPI_Datatype* type) {
  const form of_program = std::exchange(checked_form, plain_form);
  add_integers(in, inout, n, type);
  talk_to_self();
  ask();
  checked_form = of_program;
  if (is("throw") || is("throw_all")) throw std::runtime_error(deed);
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_SELF, &self_twin);
  MPI_Comm_set_errhandler(self_twin, MPI_ERRORS_RETURN);
  deed = argv[1];
  int c = 0;
  while (strcmp(collective_names[c], argv[2]) != 0) ++c;
  MPI_Op op;
  MPI_Op_create(operation, 1, &op);
  if (argc > 3) attempt_all(MPI_COMM_WORLD), checked_form = nonblocking_form;
  for (const int n : {1, 700}) {
    try {
      attempt_by(op, static_cast<collective>(c), n, 0, MPI_COMM_WORLD);
    } catch (const std::runtime_error& thrown) {
      fprintf(stderr, "caught: %s\n", thrown.what());
      expect(std::uncaught_exceptions() == 0, "an exception still counts as thrown");
      if (is("throw_all")) MPI_Abort(MPI_COMM_WORLD, 5);
    }
  }
  checked_form = plain_form;
  attempt_all(MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Comm_free(&self_twin);
  return conclude();
}
