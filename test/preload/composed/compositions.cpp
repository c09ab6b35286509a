// SPDX-License-Identifier: MIT
// The functions of mpigraft.h give what a scan and a call on its result give, for predefined operators and the
// program's.
#include <mpigraft.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <vector>

#include "test/preload/programs/check.h"

namespace {

MPI_Comm comm = MPI_COMM_WORLD;

#ifdef OPEN_MPI
constexpr bool crashes_at_mistakes = true;
#else
constexpr bool crashes_at_mistakes = false;
#endif

/// 2 x 2, of numbers modulo 2^32.
struct Matrix {
  std::array<uint32_t, 4> at;
  friend bool operator==(const Matrix&, const Matrix&) = default;
};
Matrix operator*(const Matrix& a, const Matrix& b) {
  return {a.at[0] * b.at[0] + a.at[1] * b.at[2], a.at[0] * b.at[1] + a.at[1] * b.at[3],
          a.at[2] * b.at[0] + a.at[3] * b.at[2], a.at[2] * b.at[1] + a.at[3] * b.at[3]};
}
Matrix operator+(const Matrix& a, const Matrix& b) {
  return {a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2], a.at[3] + b.at[3]};
}

template <class Operation>
void of_program(void* lower, void* upper, int* count, MPI_Datatype*) {
  const auto* a = static_cast<const Matrix*>(lower);
  auto* b = static_cast<Matrix*>(upper);
  std::transform(a, a + *count, b, b, Operation{});
}

/// A number of few bits, so that no sum or product of them is rounded or overflows.
template <class T>
T element(int r, int i) {
  if constexpr (std::is_same_v<T, Matrix>) {
    Matrix m;
    for (int k = 0; k < 4; ++k) m.at[static_cast<size_t>(k)] = static_cast<uint32_t>(value(r, 4 * int64_t{i} + k));
    return m;
  } else {
    return static_cast<T>(static_cast<int>(value(r, i) % 5) - 2);
  }
}

constexpr auto max = [](auto a, auto b) { return std::max(a, b); };
constexpr auto min = [](auto a, auto b) { return std::min(a, b); };

/// Two operators in MPI's words and in C++.
template <class T, class Times, class Plus>
struct Case {
  MPI_Datatype type;
  MPI_Op op_times, op_plus;
  Times times;
  Plus plus;
  int flags = 0;

  /// The sum of the values that a scan leaves at ranks 0..`upto`.
  T sum(int i, int upto) const {
    T scanned = element<T>(0, i), all = scanned;
    for (int r = 1; r <= upto; ++r) {
      scanned = static_cast<T>(times(scanned, element<T>(r, i)));
      all = static_cast<T>(plus(all, scanned));
    }
    return all;
  }
  std::vector<T> own(int count) const {
    std::vector<T> vector;
    for (int i = 0; i < count; ++i) vector.push_back(element<T>(rank, i));
    return vector;
  }
  void compare(const std::vector<T>& got, int upto, const char* what) const {
    for (size_t i = 0; i < got.size(); ++i) {
      const T want = sum(static_cast<int>(i), upto);
      expect_bytes(&got[i], &want, sizeof want, what);
    }
  }

  /// Calls the function with memory of its own for the result, or in place.
  void call(int count, bool in_place) const {
    const std::vector<T> mine = own(count);
    for (const int root : {0, size - 1}) {
      const bool here = in_place && rank == root;
      std::vector<T> result(here ? mine : std::vector<T>(mine.size()));
      MPIGRAFT_Scan_reduce(here ? MPI_IN_PLACE : mine.data(), rank == root ? result.data() : nullptr, count, type,
                           op_times, op_plus, flags, root, comm);
      if (rank == root) compare(result, size - 1, "Scan_reduce");
    }
    const void* const send = in_place ? MPI_IN_PLACE : mine.data();
    std::vector<T> result(in_place ? mine : std::vector<T>(mine.size()));
    MPIGRAFT_Scan_allreduce(send, result.data(), count, type, op_times, op_plus, flags, comm);
    compare(result, size - 1, "Scan_allreduce");
    if (in_place) result = mine;
    MPIGRAFT_Scan_scan(send, result.data(), count, type, op_times, op_plus, flags, comm);
    compare(result, rank, "Scan_scan");
  }
  void call(int count) const {
    call(count, false);
    call(count, true);
  }
};

template <class T, class Times, class Plus>
Case<T, Times, Plus> of(MPI_Datatype type, MPI_Op op_times, MPI_Op op_plus, Times times, Plus plus) {
  return {type, op_times, op_plus, times, plus};
}

void call_all(int count) {
  of<int>(MPI_INT, MPI_SUM, MPI_MAX, std::plus{}, max).call(count);
  of<double>(MPI_DOUBLE, MPI_SUM, MPI_MIN, std::plus{}, min).call(count);
  of<int64_t>(MPI_INT64_T, MPI_PROD, MPI_SUM, std::multiplies{}, std::plus{}).call(count);
  of<double>(MPI_DOUBLE, MPI_PROD, MPI_SUM, std::multiplies{}, std::plus{}).call(count);
  of<float>(MPI_FLOAT, MPI_MAX, MPI_MIN, max, min).call(count);
  of<uint8_t>(MPI_UINT8_T, MPI_BAND, MPI_BOR, std::bit_and{}, std::bit_or{}).call(count);
  of<int64_t>(MPI_INT64_T, MPI_MAX, MPI_SUM, max, std::plus{}).call(count);  // these operators do not distribute
}

void call_with_own_operators(int count) {
  auto own = of<Matrix>(MPI_DATATYPE_NULL, MPI_OP_NULL, MPI_OP_NULL, std::multiplies{}, std::plus{});
  MPI_Type_contiguous(4, MPI_UINT32_T, &own.type);
  MPI_Type_commit(&own.type);
  MPI_Op_create(of_program<std::multiplies<>>, 0, &own.op_times);
  MPI_Op_create(of_program<std::plus<>>, 1, &own.op_plus);
  own.call(count);
  own.flags = MPIGRAFT_DISTRIBUTES;
  own.call(count);
  MPI_Op_free(&own.op_times);
  MPI_Op_free(&own.op_plus);
  MPI_Type_free(&own.type);
}

/// All ranks make the same mistakes, but for a negative count, which MPICH takes for a length.
void make_mistakes() {
  int from = 1, to = 0;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const auto expect_error = [](int error, int wanted, const char* what) {
    int its = MPI_SUCCESS;
    MPI_Error_class(error, &its);
    expect(its == wanted, what);
  };
  expect_error(MPIGRAFT_Scan_reduce(&from, &to, 1, MPI_INT, MPI_SUM, MPI_MAX, 0, size, comm), MPI_ERR_ROOT, "root");
  expect_error(MPIGRAFT_Scan_allreduce(&from, &to, 1, MPI_INT, MPI_OP_NULL, MPI_MAX, 0, comm), MPI_ERR_OP, "no times");
  expect_error(MPIGRAFT_Scan_scan(&from, &to, 1, MPI_INT, MPI_SUM, MPI_OP_NULL, 0, comm), MPI_ERR_OP, "no plus");
  expect_error(MPIGRAFT_Scan_scan(&from, nullptr, 1, MPI_INT, MPI_SUM, MPI_MAX, 0, comm), MPI_ERR_BUFFER, "no buffer");
  expect_error(MPIGRAFT_Scan_reduce(&from, &to, 1, MPI_FLOAT, MPI_BAND, MPI_BOR, 0, 0, comm), MPI_ERR_OP,
               "bits of float");
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (const int count : {0, 1, 3, 7, 100, 2049, 20'000}) call_all(count);
  end_section("on all ranks");
  for (const int count : {1, 2, 999, 2000}) call_with_own_operators(count);
  end_section("own operators");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < 3; ++i) call_all(20);
  end_section("on another communicator");
  if (!crashes_at_mistakes && !under_mpich_5()) make_mistakes();
  MPI_Comm_free(&comm);
  end_section("mistakes");
  return finish();
}
