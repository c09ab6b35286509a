// SPDX-License-Identifier: MIT
// The functions of mpigraft.h give what a scan and a call on its result give, for predefined operators and the
// program's.
#include <mpigraft.h>

#include <vector>

#include "test/preload/programs/check.h"

namespace {

MPI_Comm comm = MPI_COMM_WORLD;

#ifdef OPEN_MPI
constexpr bool crashes_at_mistakes = true;
#else
constexpr bool crashes_at_mistakes = false;
#endif

/// Two operators on elements of one type.
struct Case {
  kind times, plus;
  int flags = 0;

  /// The sums of the values that a scan leaves at ranks 0..`upto`.
  std::vector<char> sums(int count, int upto) const {
    std::vector<char> scanned(bytes(count)), all(bytes(count));
    for (int r = upto; r >= 0; --r) {
      combine_ranks(&times, 0, r + 1, 0, count, scanned.data());
      if (r < upto) plus.join(scanned.data(), all.data(), count);
      if (r == upto) all = scanned;
    }
    return all;
  }
  size_t bytes(int count) const { return static_cast<size_t>(count) * times.size; }
  std::vector<char> own(int count) const {
    std::vector<char> elements(bytes(count));
    times.make(elements.data(), count, rank, 0);
    return elements;
  }
  void compare(const std::vector<char>& got, int count, int upto, const char* what) const {
    expect_bytes(got.data(), sums(count, upto).data(), got.size(), what);
  }

  /// Calls the function with memory of its own for the result, or in place.
  void call(int count, bool in_place) const {
    const std::vector<char> mine = own(count);
    for (const int root : {0, size - 1}) {
      const bool here = in_place && rank == root;
      std::vector<char> result(here ? mine : std::vector<char>(mine.size()));
      MPIGRAFT_Scan_reduce(here ? MPI_IN_PLACE : mine.data(), rank == root ? result.data() : nullptr, count, times.type,
                           times.op, plus.op, flags, root, comm);
      if (rank == root) compare(result, count, size - 1, "Scan_reduce");
    }
    const void* const send = in_place ? MPI_IN_PLACE : mine.data();
    std::vector<char> result(in_place ? mine : std::vector<char>(mine.size()));
    MPIGRAFT_Scan_allreduce(send, result.data(), count, times.type, times.op, plus.op, flags, comm);
    compare(result, count, size - 1, "Scan_allreduce");
    if (in_place) result = mine;
    MPIGRAFT_Scan_scan(send, result.data(), count, times.type, times.op, plus.op, flags, comm);
    compare(result, count, rank, "Scan_scan");
  }
  void call(int count) const {
    call(count, false);
    call(count, true);
  }
};

Case of(MPI_Datatype type, MPI_Op times, MPI_Op plus) {
  return {predefined_kind(type, times), predefined_kind(type, plus)};
}

void call_all(int count) {
  Case sums = of(MPI_INT, MPI_SUM, MPI_MAX);
  sums.times.make = make_int32_t_few;  // the operators distribute unless sums overflow
  sums.call(count);
  of(MPI_DOUBLE, MPI_SUM, MPI_MIN).call(count);
  of(MPI_INT64_T, MPI_PROD, MPI_SUM).call(count);
  of(MPI_DOUBLE, MPI_PROD, MPI_SUM).call(count);
  of(MPI_FLOAT, MPI_MAX, MPI_MIN).call(count);
  of(MPI_UINT8_T, MPI_BAND, MPI_BOR).call(count);
  of(MPI_INT64_T, MPI_MAX, MPI_SUM).call(count);  // these operators do not distribute
}

int products = 0, sums = 0;  // calls of these operators

void join_products_of_matrices(const void* lower, void* upper, int64_t n) {
  ++products;
  join_matrix_2x2_product(lower, upper, n);
}
void join_sums_of_matrices(const void* lower, void* upper, int64_t n) {
  ++sums;
  join_uint64_t_SUM(lower, upper, 4 * n);
}
USER_FUNCTION(multiply_and_count, join_products_of_matrices)
USER_FUNCTION(add_and_count, join_sums_of_matrices)

/// `by_pairs`: the library joins pairs, each time by two products and a sum.
void call_with_own_operators(int count, bool by_pairs) {
  Case own{make_matrix_kind(), {}};
  MPI_Op_free(&own.times.op);
  own.plus = own.times;
  own.plus.join = join_sums_of_matrices;
  MPI_Op_create(multiply_and_count, 0, &own.times.op);
  MPI_Op_create(add_and_count, 1, &own.plus.op);
  own.call(count);
  own.flags = MPIGRAFT_DISTRIBUTES;
  own.call(count);
  const std::vector<char> mine = own.own(count);
  std::vector<char> result(mine.size());
  products = sums = 0;
  MPIGRAFT_Scan_scan(mine.data(), result.data(), count, own.times.type, own.times.op, own.plus.op, own.flags, comm);
  expect(!by_pairs || (products == 2 * sums && (sums > 0 || rank == 0)), "pairs");
  MPI_Op_free(&own.plus.op);
  free_kind(&own.times);
}

void add_numbers(void* in, void* inout, int* n, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  join_uint64_t_SUM(in, inout, *n * (bytes / 8));
}

/// Types of elements that cannot be halves of a pair: with holes, without bytes, and very long.
void call_with_odd_types() {
  Case with_holes{make_gappy_kind(), make_gappy_kind(), MPIGRAFT_DISTRIBUTES};
  with_holes.call(7);
  free_kind(&with_holes.times);
  free_kind(&with_holes.plus);
  MPI_Op add;
  MPI_Op_create(add_numbers, 1, &add);
  for (const int length : {0, 1000}) {
    MPI_Datatype type = contiguous_type(length, MPI_UINT64_T);
    const std::vector<uint64_t> mine(1000, 1);
    std::vector<uint64_t> result(1000);
    MPIGRAFT_Scan_scan(mine.data(), result.data(), 1, type, add, add, MPIGRAFT_DISTRIBUTES, comm);
    const auto wanted = static_cast<uint64_t>((rank + 1) * (rank + 2) / 2);
    expect(result[999] == (length == 0 ? 0 : wanted), "odd types");
    MPI_Type_free(&type);
  }
  MPI_Op_free(&add);
}

/// All ranks make the same mistakes, but for a negative count, which MPICH takes for a length.
void make_mistakes() {
  int from = 1, to = 0;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const auto expect_error = [](int error, int wanted, const char* what) { expect(class_of(error) == wanted, what); };
  expect_error(MPIGRAFT_Scan_reduce(&from, &to, 1, MPI_INT, MPI_SUM, MPI_MAX, 0, size, comm), MPI_ERR_ROOT, "root");
  expect_error(MPIGRAFT_Scan_allreduce(&from, &to, 1, MPI_INT, MPI_OP_NULL, MPI_MAX, 0, comm), MPI_ERR_OP, "no times");
  expect_error(MPIGRAFT_Scan_scan(&from, &to, 1, MPI_INT, MPI_SUM, MPI_OP_NULL, 0, comm), MPI_ERR_OP, "no plus");
  expect_error(MPIGRAFT_Scan_scan(&from, nullptr, 1, MPI_INT, MPI_SUM, MPI_MAX, 0, comm), MPI_ERR_BUFFER, "no buffer");
  expect_error(MPIGRAFT_Scan_reduce(&from, &to, 1, MPI_FLOAT, MPI_BAND, MPI_BOR, 0, 0, comm), MPI_ERR_OP,
               "bits of float");
  for (MPI_Comm each : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(each, MPI_ERRORS_RETURN);
  expect_error(MPIGRAFT_Scan_scan(&from, &to, 1, MPI_INT, MPI_SUM, MPI_MAX, 0, MPI_COMM_NULL), MPI_ERR_COMM,
               "no ranks");
  if (size == 1) return;
  MPI_Comm half, between;
  MPI_Comm_split(comm, rank == 0, 0, &half);
  MPI_Intercomm_create(half, 0, comm, rank == 0, 0, &between);
  MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
  expect_error(MPIGRAFT_Scan_scan(&from, &to, 1, MPI_INT, MPI_SUM, MPI_MAX, 0, between), MPI_ERR_COMM, "two groups");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (const int count : {0, 1, 3, 7, 100, 2049, 20'000}) call_all(count);
  end_section("on all ranks");
  for (const int count : {1, 2, 999, 2000}) call_with_own_operators(count, argc > 1);
  call_with_odd_types();
  end_section("own operators");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < 3; ++i) call_all(20);
  end_section("on another communicator");
  if (!crashes_at_mistakes && !under_mpich_5()) make_mistakes();
  MPI_Comm_free(&comm);
  end_section("mistakes");
  return finish();
}
