// SPDX-License-Identifier: MIT
#include "shim/bench/buffers.hpp"

#include <algorithm>

#include "shim/mpigraft.h"

namespace mpigraft::bench {

::kind& matrices() {
  static ::kind made = make_matrix_kind();
  return made;
}

Kind make_kind(const std::string& type, const std::string& op) {
  if (op == "matrix") return {type, op, matrices()};
  Kind kind{type, op, predefined_kind(type == "double" ? MPI_DOUBLE : MPI_INT64_T, MPI_SUM)};
  if (op != "sum") kind.model.op = op == "max" ? MPI_MAX : MPI_BXOR;
  return kind;
}

Buffers::Buffers(const Problem& problem, int rank)
    : problem_(problem),
      rank_(rank),
      send_(static_cast<std::size_t>(problem.bytes())),
      scanned_(problem.composition ? send_.size() : 0),
      recv_(send_.size()) {
  // A sum that overflows does not distribute over a maximum.
  const bool small = problem.composition && problem.kind.type == "int64";
  (small ? small_sums : problem_.kind.model).make(send_.data(), problem.count, rank, 0);
}

int Buffers::call(int form, MPI_Comm comm) {
  if (problem_.composition) return call_composition(form, comm);
  const ::collective row = test::row_of(problem_.collective);
  const ::kind& kind = problem_.kind.model;
  const arguments all{send_.data(), recv_.data(), problem_.count, kind.type, kind.op, root, comm};
  if (!has_parts(row)) return call_to_end(row, form, &all, nullptr);
  if (!cut_) {
    int p = 0;
    MPI_Comm_size(comm, &p);
    cut_.emplace(rank_, p, problem_.count);
  }
  return call_parts(row, form, all, &*cut_, static_cast<MPI_Aint>(kind.size));
}

/// Natively two calls, otherwise the one of mpigraft.h.
int Buffers::call_composition(int form, MPI_Comm comm) {
  const auto& [collective, kind, count, composition] = problem_;
  const auto [type, op] = std::pair(kind.model.type, kind.model.op);
  if (form & native_form) {
    const arguments scan{send_.data(), scanned_.data(), count, type, op, root, comm};
    const arguments second{scanned_.data(), recv_.data(), count, type, MPI_MAX, root, comm};
    const int error = call_to_end(::scan, form, &scan, nullptr);
    return error == MPI_SUCCESS ? call_to_end(test::row_of(collective), form, &second, nullptr) : error;
  }
  if (*composition == Composition::scan_reduce)
    return MPIGRAFT_Scan_reduce(send_.data(), recv_.data(), count, type, op, MPI_MAX, 0, root, comm);
  const auto one_call = *composition == Composition::scan_scan ? MPIGRAFT_Scan_scan : MPIGRAFT_Scan_allreduce;
  return one_call(send_.data(), recv_.data(), count, type, op, MPI_MAX, 0, comm);
}

/// Makes a call into a buffer that does not hold the result of the call before.
int Buffers::fresh_call(int form, MPI_Comm comm) {
  std::ranges::fill(recv_, char(0xa5));
  if (input_in_result(test::row_of(problem_.collective), rank_, root)) recv_ = send_;
  return call(form, comm);
}

void Buffers::expect_native_result() {
  fresh_call(native_form, MPI_COMM_WORLD);
  expected_ = recv_;
}

bool Buffers::gives_expected(int form, MPI_Comm comm) {
  const int error = fresh_call(form, comm);
  const bool has_result = info_of(problem_.collective).has_result(rank_, root);
  return error == MPI_SUCCESS && (!has_result || recv_ == expected_);
}

}  // namespace mpigraft::bench
