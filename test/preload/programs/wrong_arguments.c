// SPDX-License-Identifier: MIT
// Every wrong argument of every call, made by all ranks alike: prints the error class on each rank, and how often the
// communicator's handler was called there. Afterwards all collectives have to work on that communicator, which is tried
// after each mistake, with one length in turn, if AFTER_EACH is in the environment, and at the end.
//
// MPICH 4.0.2 itself fails in some of the calls that a full table would hold; see left_out().
#include <limits.h>

#include "check.h"

enum { elements = 3, handles = 16, most_ranks = 8, most_lines = 600 * collective_count };

enum field { nothing, input, result, buffers, count, type, op, root, communicator };

struct change {
  const char* name;
  enum field field;
  intptr_t value;
};

static const int lengths[] = {1, 4000, elements};
static int64_t in[2 * elements * most_ranks], out[2 * elements * most_ranks];
static int handler_calls, wrong_handles;
static MPI_Comm handled;  // of the call; MPI reports one that is none on the world or, as MPI-4 wants, on self

// of freed objects the handle alone
static MPI_Datatype uncommitted, derived, empty;
static MPI_Op user_op;
static MPI_Comm freed_comm, inter_comm;

static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)code;
  ++handler_calls;
  wrong_handles += *comm != handled && *comm != MPI_COMM_WORLD && *comm != MPI_COMM_SELF && *comm != inter_comm;
}

static void add(void* a, void* b, int* n, MPI_Datatype* of) {
  int bytes;
  MPI_Type_size(*of, &bytes);
  for (int i = 0; i < *n * bytes / 8; ++i) ((int64_t*)b)[i] += ((int64_t*)a)[i];
}

/// The handle that was freed first is the last to be given again.
static void make_handles(void) {
  MPI_Comm some[handles], half;
  for (int i = 0; i < handles; ++i) MPI_Comm_dup(MPI_COMM_SELF, &some[i]);
  freed_comm = some[0];
  for (int i = 0; i < handles; ++i) MPI_Comm_free(&some[i]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  inter_comm = MPI_COMM_NULL;
  if (size > 1) MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 2, &inter_comm);
  MPI_Comm_free(&half);
  MPI_Type_contiguous(2, MPI_INT64_T, &uncommitted);
  MPI_Type_dup(uncommitted, &derived);
  MPI_Type_commit(&derived);
  empty = contiguous_type(0, MPI_INT64_T);
  MPI_Op_create(add, 1, &user_op);
}

static void free_handles(void) {
  if (inter_comm != MPI_COMM_NULL) MPI_Comm_free(&inter_comm);
  MPI_Type_free(&uncommitted), MPI_Type_free(&derived), MPI_Type_free(&empty);
  MPI_Op_free(&user_op);
}

static void set(struct arguments* a, const struct change* change) {
  const intptr_t value = change->value;
  if (change->field == input || change->field == buffers) a->send = (const void*)value;
  if (change->field == result || change->field == buffers) a->recv = (void*)value;
  if (change->field == count) a->count = value;
  if (change->field == type) a->type = (MPI_Datatype)value;
  if (change->field == op) a->op = (MPI_Op)value;
  if (change->field == root) a->root = (int)value;
  if (change->field == communicator) a->comm = (MPI_Comm)value;
}

/// True for what is left out: what is no mistake, or one of some ranks only, or ends the program natively. Also for
/// that reason no table holds a freed type or operator, nor a handle that looks like one and is none.
static int left_out(enum collective c, const struct arguments* a, const struct change* change, int ranks) {
  const struct facts facts = facts_of(c);
  if (change->field == root && !facts.rooted) return 1;
  if (change->field == communicator && a->comm == inter_comm && !is_prefix(c)) return 1;
  if ((change->field == op && !facts.combines) || (change->field == input && facts.one_buffer)) return 1;
  // MPICH crashes where it words this error
  if (a->count < 0 && facts.combines) return 1;
  // MPICH checks neither of these, and then reads there or ends with an assertion
  const int is_type = a->type != MPI_DATATYPE_NULL && a->type != (MPI_Datatype)MPI_SUM && a->type != 0;
  if (facts.combines && !is_type && under_mpich_5()) return 1;
  if (facts.one_buffer && ranks > 1 && (a->recv == MPI_IN_PLACE || (a->count == 0 && !is_type))) return 1;
  // in a gather, only a mistake of the rank whose part is the first of the result
  if (facts.input_part && ranks > 1 && a->send == a->recv && a->send != NULL) return 1;
  // the root finds the mistake, and the others' messages meet later calls; other ranks are not asked whether theirs is
  // the root
  const int own = a->send == a->recv || a->recv == NULL || a->recv == MPI_IN_PLACE || a->send == MPI_IN_PLACE;
  const int at_root_alone = !has_result(c, 1, 0);
  return at_root_alone && ranks > 1 && own && (a->send != NULL || a->type == empty) && a->count != 0;
}

static char lines[most_lines][160];
static int found[most_lines][4], line_count;

/// Parts that all have the call's count; with the large form, parts of one length.
static struct parts parts_of(const struct arguments* a, int large, int ranks) {
  struct parts parts;
  make_parts(&parts, ranks);
  parts.count = a->count, parts.each = large ? a->count : -1;
  for (int r = 0; r < ranks; ++r) set_part(&parts, r, a->count, r * elements);
  return parts;
}

/// Makes the mistake twice: the second time the library knows the call.
static void try_mistake(enum collective c, int large, const struct arguments* a, MPI_Comm comm, const char* name[2]) {
  int ranks;
  MPI_Comm_size(comm, &ranks);
  struct parts parts = parts_of(a, large, ranks);
  char* const line = lines[line_count];
  snprintf(line, sizeof *lines, "%s%s, %s, %s", collective_names[c], large ? "_c" : "", name[0], name[1]);
  for (int i = 0; i < 2; ++i) {
    handler_calls = 0, handled = comm;
    const int code = call_function(c, large ? large_form : plain_form, a, has_parts(c) ? &parts : NULL, NULL);
    found[line_count][2 * i] = class_of(code), found[line_count][2 * i + 1] = handler_calls;
  }
  free_parts(&parts);
  if (getenv("AFTER_EACH")) expect(all_are_right(lengths[line_count % 3], 0, comm), line);
  if (++line_count == most_lines) exit(2);
}

/// Rank 0 prints what every rank found.
static void print_lines(void) {
  static int all[most_ranks][most_lines][4];
  const int n = 4 * line_count;
  if (rank != 0) MPI_Send(found, n, MPI_INT, 0, 1, MPI_COMM_WORLD);
  memcpy(all[0], found, sizeof found);
  for (int r = 1; rank == 0 && r < size; ++r) MPI_Recv(all[r], n, MPI_INT, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; rank == 0 && i < line_count; ++i) {
    printf("%s:", lines[i]);
    for (int r = 0; r < size; ++r) printf(" %d/%d %d/%d", all[r][i][0], all[r][i][1], all[r][i][2], all[r][i][3]);
    printf("\n");
  }
  line_count = 0;
}

/// Makes right calls in each of which one thing is changed for a wrong one.
static void try_all(MPI_Comm comm) {
  const MPI_Datatype of_user[] = {derived, empty, uncommitted};
  static const char* const shapes[] = {"three integers",    "no elements", "in place",
                                       "of a derived type", "of no bytes", "uncommitted, by the user's operator"};
  int ranks;
  MPI_Comm_size(comm, &ranks);
  const struct change changes[] = {
      {"as it is", nothing, 0},
      {"input null", input, 0},
      {"result null", result, 0},
      {"both null", buffers, 0},
      {"input is the result", input, (intptr_t)out},
      {"input in place", input, (intptr_t)MPI_IN_PLACE},
      {"result in place", result, (intptr_t)MPI_IN_PLACE},
      {"both in place", buffers, (intptr_t)MPI_IN_PLACE},
      {"count -1", count, -1},
      {"least count", count, INT_MIN},
      {"no type", type, (intptr_t)MPI_DATATYPE_NULL},
      {"operator as type", type, (intptr_t)MPI_SUM},
      {"zero as type", type, 0},
      {"uncommitted type", type, (intptr_t)uncommitted},
      {"derived type", type, (intptr_t)derived},
      {"type of no bytes", type, (intptr_t)empty},
      {"bytes", type, (intptr_t)MPI_BYTE},
      {"packed", type, (intptr_t)MPI_PACKED},
      {"pairs", type, (intptr_t)MPI_2INT},
      {"no operator", op, (intptr_t)MPI_OP_NULL},
      {"type as operator", op, (intptr_t)MPI_INT64_T},
      {"zero as operator", op, 0},
      {"replace", op, (intptr_t)MPI_REPLACE},
      {"no-op", op, (intptr_t)MPI_NO_OP},
      {"minloc", op, (intptr_t)MPI_MINLOC},
      {"root -1", root, MPI_PROC_NULL},
      {"root any source", root, MPI_ANY_SOURCE},
      {"root of an intercommunicator", root, MPI_ROOT},
      {"root too high", root, ranks},
      {"root far too high", root, INT_MAX},
      {"no communicator", communicator, (intptr_t)MPI_COMM_NULL},
      {"freed communicator", communicator, (intptr_t)freed_comm},
      {"type as communicator", communicator, (intptr_t)MPI_INT64_T},
      {"intercommunicator", communicator, (intptr_t)inter_comm},
  };
  for (enum collective c = 0; c < collective_count; ++c)
    for (int s = 0; s < 6; ++s)
      for (size_t i = 0; i < 2 * sizeof changes / sizeof *changes; ++i) {
        const struct change* const change = &changes[i / 2];
        struct arguments a = {in, out, elements, MPI_INT64_T, MPI_SUM, 0, comm};
        if (s == 1) a.count = 0;
        if (s == 2) a.send = MPI_IN_PLACE;
        if (s > 2) a.type = of_user[s - 3], a.op = user_op;
        set(&a, change);
        if (!left_out(c, &a, change, ranks)) try_mistake(c, i % 2, &a, comm, (const char*[]){shapes[s], change->name});
      }
}

int main(int argc, char** argv) {
  MPI_Comm duplicate;
  MPI_Errhandler handler;
  start(&argc, &argv);
  skip_under_open_mpi("it crashes on arguments that MPICH refuses");
  if (size > most_ranks) exit(2);
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  make_handles();
  const MPI_Comm all[] = {MPI_COMM_WORLD, duplicate, MPI_COMM_SELF, inter_comm};
  static const char* const names[] = {"world", "duplicate", "self"};
  for (int i = 0; i < 4; ++i)
    if (all[i] != MPI_COMM_NULL) MPI_Comm_set_errhandler(all[i], handler);
  for (int i = 0; i < 3; ++i) {
    try_all(all[i]);
    for (int l = 0; l < 3; ++l) expect(all_are_right(lengths[l], 0, all[i]), "after all mistakes");
    print_lines();
    expect(wrong_handles == 0, "the handler was given another communicator");
    end_section(names[i]);
  }
  free_handles();
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&duplicate);
  return finish();
}
