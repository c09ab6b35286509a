// SPDX-License-Identifier: MIT
#include "test/bench/buffers.hpp"

#include <algorithm>

#include "shim/mpigraft.h"
#include "test/mpi/kinds.hpp"

namespace mpigraft::bench {
namespace {

template <class K>
void fill(std::vector<char>& values, int rank) {
  auto* elements = reinterpret_cast<typename K::Element*>(values.data());
  const auto count = static_cast<std::int64_t>(values.size() / sizeof(typename K::Element));
  for (std::int64_t i = 0; i < count; ++i) K::set(elements[i], K::make(rank, i));
}

template <class K>
Kind kind_of(const std::string& type, const std::string& op, MPI_Op operation) {
  int commutative = 0;
  MPI_Op_commutative(operation, &commutative);
  return {type, op, K::type(), operation, commutative != 0, sizeof(typename K::Element), fill<K>};
}

}  // namespace

Kind make_kind(const std::string& type, const std::string& op) {
  if (op == "matrix") return kind_of<test::Matrix>(type, op, test::Matrix::op());
  const MPI_Op operation = op == "max" ? MPI_MAX : op == "bxor" ? MPI_BXOR : MPI_SUM;
  if (type == "double") return kind_of<test::DoubleSum>(type, op, operation);
  return kind_of<test::Int64Sum>(type, op, operation);
}

Buffers::Buffers(const Problem& problem, int rank)
    : problem_(problem),
      rank_(rank),
      send_(static_cast<std::size_t>(problem.bytes())),
      scanned_(problem.composition ? send_.size() : 0),
      recv_(send_.size()) {
  problem_.kind.fill(send_, rank);
}

int Buffers::call(const Entries* mpi, MPI_Comm comm) {
  if (problem_.composition) return call_composition(mpi, comm);
  const auto& [collective, kind, count, root, _] = problem_;
  const test::Arguments arguments{send(), recv(), count, kind.datatype, kind.operation, root, comm};
  if (!info_of(collective).has_parts()) return test::call_function(*mpi, collective, arguments);
  if (!cut_) {
    int p = 0;
    MPI_Comm_size(comm, &p);
    cut_.emplace(rank_, p, count);
  }
  return test::call_parts(*mpi, collective, arguments, *cut_, kind.element_bytes);
}

int Buffers::call_composition(const Entries* mpi, MPI_Comm comm) {
  const auto& [collective, kind, count, root, composition] = problem_;
  if (mpi) {
    const test::Arguments scan{send(), scanned_.data(), count, kind.datatype, kind.operation, root, comm};
    const test::Arguments second{scanned_.data(), recv(), count, kind.datatype, MPI_MAX, root, comm};
    const int error = test::call_function(*mpi, Collective::scan, scan);
    return error == MPI_SUCCESS ? test::call_function(*mpi, collective, second) : error;
  }
  if (*composition == Composition::scan_reduce)
    return MPIGRAFT_Scan_reduce(send(), recv(), count, kind.datatype, kind.operation, MPI_MAX, 0, root, comm);
  const auto one_call = *composition == Composition::scan_scan ? MPIGRAFT_Scan_scan : MPIGRAFT_Scan_allreduce;
  return one_call(send(), recv(), count, kind.datatype, kind.operation, MPI_MAX, 0, comm);
}

/// Makes a call into a buffer that does not hold the result of the call before.
int Buffers::fresh_call(const Entries* mpi, MPI_Comm comm) {
  std::ranges::fill(recv_, char(0xa5));
  if (test::input_in_result(info_of(problem_.collective), rank_, problem_.root, false)) recv_ = send_;
  return call(mpi, comm);
}

void Buffers::expect(const Entries* mpi, MPI_Comm comm) {
  fresh_call(mpi, comm);
  expected_ = recv_;
}

bool Buffers::gives_expected(const Entries* mpi, MPI_Comm comm) {
  const int error = fresh_call(mpi, comm);
  const bool has_result = info_of(problem_.collective).has_result(rank_, problem_.root);
  return error == MPI_SUCCESS && (!has_result || recv_ == expected_);
}

}  // namespace mpigraft::bench
