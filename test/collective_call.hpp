// SPDX-License-Identifier: MIT
// How the C++ tests and the benchmark call a collective, and what a call does with a rank's memory. Both come from the
// collective's row in algorithms/collective.hpp; only a new signature needs a function here.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "algorithms/collective.hpp"

namespace mpigraft::test {

/// The arguments of all collectives; a function takes those that its signature has.
struct Arguments {
  const void* send;
  void* recv;  // also where a function has one buffer
  MPI_Count count;
  MPI_Datatype type;
  MPI_Op op;
  int root;
  MPI_Comm comm;
};

// One for each signature, of the functions that take int and of those that take MPI_Count.
template <class Count>
int call_by(int (*function)(const void*, void*, Count, MPI_Datatype, MPI_Op, MPI_Comm), const Arguments& a) {
  return function(a.send, a.recv, static_cast<Count>(a.count), a.type, a.op, a.comm);
}
template <class Count>
int call_by(int (*function)(const void*, void*, Count, MPI_Datatype, MPI_Op, int, MPI_Comm), const Arguments& a) {
  return function(a.send, a.recv, static_cast<Count>(a.count), a.type, a.op, a.root, a.comm);
}
template <class Count>
int call_by(int (*function)(void*, Count, MPI_Datatype, int, MPI_Comm), const Arguments& a) {
  return function(a.recv, static_cast<Count>(a.count), a.type, a.root, a.comm);
}

template <class = int>
int call_by(int (*function)(MPI_Comm), const Arguments& a) {
  return function(a.comm);
}

// The form that takes MPI_Count, or the one that there is.
#define LARGE_FORM_send_recv_op(function) function##_c
#define LARGE_FORM_send_recv_op_root(function) function##_c
#define LARGE_FORM_buffer_root(function) function##_c
#define LARGE_FORM_comm_only(function) function

/// A function of MPI for each collective.
using Entries = std::array<int (*)(const Arguments&), collective_count>;

/// With the shim linked in MPI_* are the grafted calls with their whole path, and PMPI_* are the MPI library's.
#define X(name, function, ...) [](const Arguments& a) { return call_by(MPI_##function, a); },
inline constexpr Entries grafted_entries{MPIGRAFT_COLLECTIVES(X)};
#undef X
#define X(name, function, signature, ...) \
  [](const Arguments& a) { return call_by(LARGE_FORM_##signature(MPI_##function), a); },
inline constexpr Entries grafted_large_entries{MPIGRAFT_COLLECTIVES(X)};
#undef X
#define X(name, function, ...) [](const Arguments& a) { return call_by(PMPI_##function, a); },
inline constexpr Entries native_entries{MPIGRAFT_COLLECTIVES(X)};
#undef X

inline int call(const Entries& entries, Collective collective, const Arguments& arguments) {
  return entries[static_cast<std::size_t>(collective)](arguments);
}

static_assert(std::ranges::all_of(collectives,
                                  [](const CollectiveInfo& info) {
                                    return !info.moves_data() || (info.input.length == Length::vector &&
                                                                  info.result.length == Length::vector);
                                  }),
              "tests and benchmark give every buffer the length of the vector");

/// The ranks whose inputs every element of a rank's result combines.
constexpr RankRange sources_of(const CollectiveInfo& info, int rank, int p, int root) {
  return info.sources_of(rank, -1, p, root);  // nobody owns a part
}

/// Whether MPI_IN_PLACE is for this rank: where only the root has a result, it is for the root alone.
constexpr bool takes_in_place(const CollectiveInfo& info, int rank, int root) {
  return info.in_place != InPlace::in_buffer && info.in_place != InPlace::never &&
         (info.result.holders != Holders::root_only || rank == root);
}

/// Whether the memory of a rank's result holds its input before the call.
constexpr bool input_in_result(const CollectiveInfo& info, int rank, int root, bool in_place_call) {
  return in_place_call || (info.in_place == InPlace::in_buffer && info.has_input(rank, root));
}

}  // namespace mpigraft::test
