// SPDX-License-Identifier: MIT
#include "test/bench/buffers.hpp"

#include <algorithm>

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

bool has_result(const Problem& problem, int rank) {
  switch (problem.collective) {
    case Collective::exscan:
      return rank > 0;
    case Collective::reduce:
      return rank == problem.root;
    case Collective::scan:
    case Collective::bcast:
      break;
  }
  return true;
}

}  // namespace

Kind make_kind(const std::string& type, const std::string& op) {
  if (op == "matrix") return kind_of<test::Matrix>(type, op, test::Matrix::op());
  const MPI_Op operation = op == "max" ? MPI_MAX : op == "bxor" ? MPI_BXOR : MPI_SUM;
  if (type == "double") return kind_of<test::DoubleSum>(type, op, operation);
  return kind_of<test::Int64Sum>(type, op, operation);
}

Buffers::Buffers(const Problem& problem, int rank)
    : problem_(problem), rank_(rank), send_(static_cast<std::size_t>(problem.bytes())), recv_(send_.size()) {
  problem_.kind.fill(send_, rank);
}

int Buffers::call(const Entries& mpi, MPI_Comm comm) {
  const auto& [collective, kind, count, root] = problem_;
  switch (collective) {
    case Collective::scan:
      return mpi.scan(send(), recv(), count, kind.datatype, kind.operation, comm);
    case Collective::exscan:
      return mpi.exscan(send(), recv(), count, kind.datatype, kind.operation, comm);
    case Collective::bcast:
      return mpi.bcast(recv(), count, kind.datatype, root, comm);
    case Collective::reduce:
      return mpi.reduce(send(), recv(), count, kind.datatype, kind.operation, root, comm);
  }
  return MPI_ERR_INTERN;
}

/// Into a buffer that does not hold the result of the call before.
int Buffers::fresh_call(const Entries& mpi, MPI_Comm comm) {
  std::ranges::fill(recv_, char(0xa5));
  if (problem_.collective == Collective::bcast && rank_ == problem_.root) recv_ = send_;
  return call(mpi, comm);
}

void Buffers::expect(const Entries& mpi, MPI_Comm comm) {
  fresh_call(mpi, comm);
  expected_ = recv_;
}

bool Buffers::gives_expected(const Entries& mpi, MPI_Comm comm) {
  const int error = fresh_call(mpi, comm);
  return error == MPI_SUCCESS && (!has_result(problem_, rank_) || recv_ == expected_);
}

}  // namespace mpigraft::bench
