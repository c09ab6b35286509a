// SPDX-License-Identifier: MIT
// Calls of collectives for the C++ tests and the benchmark, and what a call does with a rank's memory. Both come from
// the collective's row in algorithms/collective.hpp; only a new signature needs a function here.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "algorithms/collective.hpp"

namespace mpigraft::test {

struct Cut;

/// The arguments of all collectives; a function takes those that its signature has.
struct Arguments {
  const void* send;
  void* recv;  // also where a function has one buffer
  MPI_Count count;
  MPI_Datatype type;
  MPI_Op op;
  int root;
  MPI_Comm comm;
  const Cut* cut = nullptr;

  MPI_Datatype own_type() const;
};

/// The rank whose part contains element `i` of n elements, which are cut as evenly as possible.
constexpr int owner_of(std::int64_t i, int p, std::int64_t n) {
  const std::int64_t shorter = n / p, longer = n % p;  // the first ones have an element more
  const std::int64_t before = longer * (shorter + 1);
  return static_cast<int>(i < before ? i / (shorter + 1) : longer + (i - before) / shorter);
}

/// The arguments that only functions with a part for each rank take.
struct Cut {
  /// Rank r's part is from firsts[r] to firsts[r + 1] and is received at element places[r].
  Cut(int rank, const std::vector<std::int64_t>& firsts, const std::vector<std::int64_t>& places)
      : first(firsts[static_cast<std::size_t>(rank)]),
        own(firsts[static_cast<std::size_t>(rank) + 1] - first),
        displacements(places.begin(), places.end() - 1),
        large_displacements(places.begin(), places.end() - 1) {
    for (std::size_t r = 0; r + 1 < firsts.size(); ++r) large_counts.push_back(firsts[r + 1] - firsts[r]);
    counts.assign(large_counts.begin(), large_counts.end());
  }
  Cut(int rank, int p, std::int64_t n) : Cut(rank, even(p, n), even(p, n)) {
    if (n % p == 0) each = n / p;
  }

  static std::vector<std::int64_t> even(int p, std::int64_t n) {
    std::vector<std::int64_t> firsts;
    for (int r = 0; r <= p; ++r) firsts.push_back(even_parts(n, p).first(r));
    return firsts;
  }

  std::int64_t first, own;
  MPI_Datatype own_type = MPI_DATATYPE_NULL;  // the type in which an input is counted; null: the result's
  std::int64_t each = -1;                     // the length of all parts, if they are alike
  std::vector<int> counts, displacements;
  std::vector<MPI_Count> large_counts;
  std::vector<MPI_Aint> large_displacements;
};

inline MPI_Datatype Arguments::own_type() const { return cut->own_type == MPI_DATATYPE_NULL ? type : cut->own_type; }

// One for each signature, of the functions that take int and of those that take MPI_Count; `r` is the request of a
// nonblocking one.
template <std::integral Count, class... R>
int call_by(int (*function)(const void*, void*, Count, MPI_Datatype, MPI_Op, MPI_Comm, R*...), const Arguments& a,
            R*... r) {
  return function(a.send, a.recv, static_cast<Count>(a.count), a.type, a.op, a.comm, r...);
}
template <std::integral Count, class... R>
int call_by(int (*function)(const void*, void*, Count, MPI_Datatype, MPI_Op, int, MPI_Comm, R*...), const Arguments& a,
            R*... r) {
  return function(a.send, a.recv, static_cast<Count>(a.count), a.type, a.op, a.root, a.comm, r...);
}
template <std::integral Count, class... R>
int call_by(int (*function)(void*, Count, MPI_Datatype, int, MPI_Comm, R*...), const Arguments& a, R*... r) {
  return function(a.recv, static_cast<Count>(a.count), a.type, a.root, a.comm, r...);
}
template <std::integral Count, class... R>
int call_by(int (*function)(const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype, MPI_Comm, R*...),
            const Arguments& a, R*... r) {
  return function(a.send, static_cast<Count>(a.cut->own), a.own_type(), a.recv, static_cast<Count>(a.cut->each), a.type,
                  a.comm, r...);
}
template <class... R>
int call_by(int (*function)(MPI_Comm, R*...), const Arguments& a, R*... r) {
  return function(a.comm, r...);
}
template <class... R>
int call_by(int (*function)(const void*, void*, const int*, MPI_Datatype, MPI_Op, MPI_Comm, R*...), const Arguments& a,
            R*... r) {
  return function(a.send, a.recv, a.cut->counts.data(), a.type, a.op, a.comm, r...);
}
template <class... R>
int call_by(int (*function)(const void*, void*, const MPI_Count*, MPI_Datatype, MPI_Op, MPI_Comm, R*...),
            const Arguments& a, R*... r) {
  return function(a.send, a.recv, a.cut->large_counts.data(), a.type, a.op, a.comm, r...);
}
template <class... R>
int call_by(int (*function)(const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm,
                            R*...),
            const Arguments& a, R*... r) {
  return function(a.send, static_cast<int>(a.cut->own), a.own_type(), a.recv, a.cut->counts.data(),
                  a.cut->displacements.data(), a.type, a.comm, r...);
}
template <class... R>
int call_by(int (*function)(const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*,
                            MPI_Datatype, MPI_Comm, R*...),
            const Arguments& a, R*... r) {
  return function(a.send, a.cut->own, a.own_type(), a.recv, a.cut->large_counts.data(),
                  a.cut->large_displacements.data(), a.type, a.comm, r...);
}

// The form that takes MPI_Count, or the one that there is.
#define LARGE_FORM_send_recv_op(function) function##_c
#define LARGE_FORM_send_recv_op_root(function) function##_c
#define LARGE_FORM_send_recv_counts_op(function) function##_c
#define LARGE_FORM_send_recv(function) function##_c
#define LARGE_FORM_send_recv_counts(function) function##_c
#define LARGE_FORM_buffer_root(function) function##_c
#define LARGE_FORM_comm_only(function) function

using Entry = int (*)(const Arguments&);

/// A function of MPI for each collective, and that for parts of one length, where there is one.
struct Entries {
  std::array<Entry, collective_count> own, equal_parts;
};

/// Puts entries into the order of the rows.
constexpr auto in_rows(std::initializer_list<std::pair<Collective, Entry>> some) {
  std::array<Entry, collective_count> all{};
  for (const auto& [collective, entry] : some) all[static_cast<std::size_t>(collective)] = entry;
  return all;
}

/// The shim is linked in: MPI_* are the grafted calls with their whole path, and PMPI_* are the MPI library's.
#define X(name, function, ...) {Collective::name, [](const Arguments& a) { return call_by(MPI_##function, a); }},
inline constexpr Entries grafted_entries{in_rows({MPIGRAFT_COLLECTIVES(X)}), in_rows({MPIGRAFT_EQUAL_PARTS(X)})};
#undef X
#define X(name, function, signature, ...) \
  {Collective::name, [](const Arguments& a) { return call_by(LARGE_FORM_##signature(MPI_##function), a); }},
inline constexpr Entries grafted_large_entries{in_rows({MPIGRAFT_COLLECTIVES(X)}), in_rows({MPIGRAFT_EQUAL_PARTS(X)})};
#undef X
#define X(name, function, ...) {Collective::name, [](const Arguments& a) { return call_by(PMPI_##function, a); }},
inline constexpr Entries native_entries{in_rows({MPIGRAFT_COLLECTIVES(X)}), in_rows({MPIGRAFT_EQUAL_PARTS(X)})};
#undef X

// The nonblocking form of a function.
#define NONBLOCKING_Scan Iscan
#define NONBLOCKING_Exscan Iexscan
#define NONBLOCKING_Bcast Ibcast
#define NONBLOCKING_Reduce Ireduce
#define NONBLOCKING_Barrier Ibarrier
#define NONBLOCKING_Allreduce Iallreduce
#define NONBLOCKING_Reduce_scatter Ireduce_scatter
#define NONBLOCKING_Reduce_scatter_block Ireduce_scatter_block
#define NONBLOCKING_Allgather Iallgather
#define NONBLOCKING_Allgatherv Iallgatherv

/// Microseconds for which a rank works between the beginning of a nonblocking call and the wait for it.
inline double work_us = 0;

inline void work() {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + std::chrono::duration<double, std::micro>(work_us); Clock::now() < end;) {
  }
}

template <class Function, class Wait>
int begin_and_wait(Function* function, Wait* wait, const Arguments& a) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = call_by(function, a, &request);
  if (error != MPI_SUCCESS) return error;
  if (work_us > 0) work();
  return wait(&request, MPI_STATUS_IGNORE);
}

#define JOINED(a, b) a##b
#define FUNCTION(prefix, name) JOINED(prefix, name)
#define X(name, function, ...) \
  {Collective::name,           \
   [](const Arguments& a) { return begin_and_wait(FUNCTION(MPI_, NONBLOCKING_##function), MPI_Wait, a); }},
inline constexpr Entries nonblocking_entries{in_rows({MPIGRAFT_COLLECTIVES(X)}), in_rows({MPIGRAFT_EQUAL_PARTS(X)})};
#undef X
#define X(name, function, ...) \
  {Collective::name,           \
   [](const Arguments& a) { return begin_and_wait(FUNCTION(PMPI_, NONBLOCKING_##function), PMPI_Wait, a); }},
inline constexpr Entries native_nonblocking_entries{in_rows({MPIGRAFT_COLLECTIVES(X)}),
                                                    in_rows({MPIGRAFT_EQUAL_PARTS(X)})};
#undef X

/// Calls the function of a collective with its arguments; that for parts of one length if the cut has such.
inline int call_function(const Entries& entries, Collective collective, const Arguments& a) {
  const bool equal = a.cut && a.cut->each >= 0;
  return (equal ? entries.equal_parts : entries.own)[static_cast<std::size_t>(collective)](a);
}

/// Moves an address of elements; anything else stays.
inline void* shifted(const void* buffer, std::int64_t bytes) {
  const bool is_address = buffer != nullptr && buffer != MPI_IN_PLACE;
  return const_cast<char*>(static_cast<const char*>(buffer)) + (is_address ? bytes : 0);
}

/// Makes a call on buffers as long as the vector, in which a rank's part lies at its place, also the part that
/// MPI_IN_PLACE leaves at the start. Elements lie one after the other. `cut` is that of the vector on this rank.
inline int call_parts(const Entries& entries, Collective collective, Arguments a, const Cut& cut, std::int64_t extent) {
  const CollectiveInfo& info = info_of(collective);
  const std::int64_t first = cut.first * extent, own = cut.own * extent;
  auto* const recv = static_cast<char*>(a.recv);
  const bool to_start = info.result.length == Length::part && a.send == MPI_IN_PLACE;
  const std::vector<char> start(recv, recv + (to_start ? own : 0));
  if (info.input.length == Length::part) a.send = shifted(a.send, first);
  if (info.result.length == Length::part && !to_start) a.recv = shifted(a.recv, first);
  a.cut = &cut;
  if (cut.each >= 0) a.count = cut.each;
  const int error = call_function(entries, collective, a);
  if (to_start) {
    const std::vector<char> result(recv, recv + own);
    std::ranges::copy(start, recv);
    std::ranges::copy(result, recv + first);
  }
  return error;
}

inline int call(const Entries& entries, Collective collective, const Arguments& arguments) {
  if (!info_of(collective).has_parts()) return call_function(entries, collective, arguments);
  int rank = 0, p = 0;
  MPI_Aint lb = 0, extent = 0;
  MPI_Comm_rank(arguments.comm, &rank);
  MPI_Comm_size(arguments.comm, &p);
  MPI_Type_get_extent(arguments.type, &lb, &extent);
  return call_parts(entries, collective, arguments, Cut(rank, p, arguments.count), extent);
}

/// True if a rank gets element `i` of a vector of `n`.
constexpr bool gets(const CollectiveInfo& info, int rank, int p, int root, std::int64_t i, std::int64_t n) {
  return info.has_result(rank, root) && (info.result.length != Length::part || owner_of(i, p, n) == rank);
}

/// The ranks whose inputs element `i` of `n` of a rank's result combines.
constexpr RankRange sources_of(const CollectiveInfo& info, int rank, int p, int root, std::int64_t i, std::int64_t n) {
  return info.sources_of(rank, owner_of(i, p, n), p, root);
}

/// True if this rank may pass MPI_IN_PLACE. If only the root has a result, only the root may.
constexpr bool takes_in_place(const CollectiveInfo& info, int rank, int root) {
  return info.in_place != InPlace::in_buffer && info.in_place != InPlace::never &&
         (info.result.holders != Holders::root_only || rank == root);
}

/// True if the memory of a rank's result holds its input before the call.
constexpr bool input_in_result(const CollectiveInfo& info, int rank, int root, bool in_place_call) {
  return in_place_call || (info.in_place == InPlace::in_buffer && info.has_input(rank, root));
}

}  // namespace mpigraft::test
