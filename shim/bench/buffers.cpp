// SPDX-License-Identifier: MIT
#include "shim/bench/buffers.hpp"

#include <algorithm>

#include "shim/mpigraft.h"

namespace mpigraft::bench {
namespace {

std::optional<::kind> matrices;

}  // namespace

Kind make_kind(const std::string& type, const std::string& op) {
  if (op == "matrix" && !matrices) matrices = make_matrix_kind();
  const ::kind kind = op == "matrix"     ? *matrices
                      : type == "double" ? predefined_kind(MPI_DOUBLE, MPI_SUM)
                                         : predefined_kind(MPI_INT64_T, MPI_SUM);
  const MPI_Op operation = op == "max" ? MPI_MAX : op == "bxor" ? MPI_BXOR : kind.op;
  return {type, op, kind.type, operation, kind.commutes, static_cast<std::int64_t>(kind.size), kind.make};
}

void free_kinds() {
  if (matrices) free_kind(&*matrices);
}

Buffers::Buffers(const Problem& problem, int rank)
    : problem_(problem),
      rank_(rank),
      send_(static_cast<std::size_t>(problem.bytes())),
      scanned_(problem.composition ? send_.size() : 0),
      recv_(send_.size()) {
  problem_.kind.make(send_.data(), problem.count, rank, 0);
}

int Buffers::call(Form form, MPI_Comm comm) {
  if (problem_.composition) return call_composition(form, comm);
  const auto& [collective, kind, count, _] = problem_;
  const arguments all{send(), recv(), count, kind.datatype, kind.operation, root, comm};
  if (!info_of(collective).has_parts()) return call_to_end(test::row_of(collective), *form, &all, nullptr);
  if (!cut_) {
    int p = 0;
    MPI_Comm_size(comm, &p);
    cut_.emplace(rank_, p, count);
  }
  return call_parts(test::row_of(collective), *form, all, &*cut_, kind.element_bytes);
}

int Buffers::call_composition(Form form, MPI_Comm comm) {
  const auto& [collective, kind, count, composition] = problem_;
  if (form) {
    const arguments scan{send(), scanned_.data(), count, kind.datatype, kind.operation, root, comm};
    const arguments second{scanned_.data(), recv(), count, kind.datatype, MPI_MAX, root, comm};
    const int error = call_to_end(::scan, *form, &scan, nullptr);
    return error == MPI_SUCCESS ? call_to_end(test::row_of(collective), *form, &second, nullptr) : error;
  }
  if (*composition == Composition::scan_reduce)
    return MPIGRAFT_Scan_reduce(send(), recv(), count, kind.datatype, kind.operation, MPI_MAX, 0, root, comm);
  const auto one_call = *composition == Composition::scan_scan ? MPIGRAFT_Scan_scan : MPIGRAFT_Scan_allreduce;
  return one_call(send(), recv(), count, kind.datatype, kind.operation, MPI_MAX, 0, comm);
}

/// Makes a call into a buffer that does not hold the result of the call before.
int Buffers::fresh_call(Form form, MPI_Comm comm) {
  std::ranges::fill(recv_, char(0xa5));
  if (input_in_result(test::row_of(problem_.collective), rank_, root)) recv_ = send_;
  return call(form, comm);
}

void Buffers::expect(Form form, MPI_Comm comm) {
  fresh_call(form, comm);
  expected_ = recv_;
}

bool Buffers::gives_expected(Form form, MPI_Comm comm) {
  const int error = fresh_call(form, comm);
  const bool has_result = info_of(problem_.collective).has_result(rank_, root);
  return error == MPI_SUCCESS && (!has_result || recv_ == expected_);
}

}  // namespace mpigraft::bench
