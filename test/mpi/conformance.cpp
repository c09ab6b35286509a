// SPDX-License-Identifier: MIT
// Every algorithm of the catalogue over MPI, against results computed locally. The shim is linked in, so MPI_Scan is
// the grafted call with its whole path. Prints one line an algorithm; exit code 1 after any failure.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "shim/bench/collectives.hpp"
#include "shim/bench/forced.hpp"
#include "test/preload/programs/check.h"

namespace mpigraft::test {
namespace {

long calls;
bool nonblocking = false;  // calls are made by the nonblocking forms

const kind integers = predefined_kind(MPI_INT64_T, MPI_SUM), doubles = predefined_kind(MPI_DOUBLE, MPI_SUM),
           located = predefined_kind(MPI_DOUBLE_INT, MPI_MINLOC);
kind matrices, gappy;  // made after MPI_Init

void fail(const char* what, const char* kind, std::int64_t count, int root) {
  if (failures++ < 5)
    std::fprintf(stderr, "rank %d of %d: %s: %s, %lld elements, root %d\n", rank, size, what, kind,
                 static_cast<long long>(count), root);
}

/// Makes call(form). Operators of the program stay with MPI in nonblocking calls, where 4.0.2 writes beyond its own
/// memory. The first call of a communicator is a blocking one, from which nonblocking ones are grafted.
template <class Call>
auto invoke(Collective collective, MPI_Op op, MPI_Comm comm, Call call) {
  ++calls;
  if (size == 1) return call(plain_form);
  const execute::TransportState& transport = entry::communicator_of(abi::passed<abi::Comm>(comm))->transport;
  const std::uint64_t before = transport.sequence;
  const bool of_program = info_of(collective).combines() && !abi::is_builtin(abi::passed<abi::Op>(op));
  if (!nonblocking || before == 0 || of_program) return call(plain_form);
  const auto result = call(nonblocking_form);
  if (transport.sequence == before) fail("not grafted", "nonblocking", 0, 0);
  return result;
}

/// The code of the call with these arguments.
int error_of(Collective collective, const arguments& a) {
  return invoke(collective, a.op, a.comm, [&](form form) { return call_with(row_of(collective), form, &a); });
}

void one_call(const kind& kind, Collective collective, std::int64_t count, int root, bool in_place, MPI_Comm comm) {
  const ::collective row = row_of(collective);
  const bool here = in_place && takes_in_place(row, rank, root);
  const outcome outcome =
      invoke(collective, kind.op, comm, [&](form form) { return try_on(&kind, form, row, count, root, here, comm); });
  if (outcome == refused_call) fail("error code", kind.op_name, count, root);
  if (outcome == wrong_result) fail("wrong bytes in a buffer", kind.op_name, count, root);
}

/// True for the roots to try: all of them up to five ranks; above, both ends and the middle, and for long vectors only
/// the middle.
bool chosen(int root, std::int64_t count) {
  if (size <= 5 || root == size / 2) return true;
  return count < 10000 && (root == 0 || root == size - 1);
}

using Counts = std::vector<std::int64_t>;

/// Beyond nine ranks, where calls take long on few cores, each kind takes one count, and the sum of integers two.
Counts few_or_all(Counts few, Counts all) { return size <= 9 ? all : few; }
Counts counts() { return few_or_all({7}, {1, 7, 1000, 30011}); }

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Tests a collective without data: no rank leaves before all have come, whichever is late. Ranks are on one machine,
/// with one clock.
void in_order(Collective collective, MPI_Comm comm) {
  for (int late = 0; late < size; late += size <= 9 ? 1 : 5) {
    if (rank == late) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const double came = now();
    if (error_of(collective, {nullptr, nullptr, 0, MPI_DATATYPE_NULL, MPI_OP_NULL, 0, comm}) != MPI_SUCCESS)
      fail("error code", "no data", 0, late);
    const double left = now();
    double last = 0, first = 0;
    PMPI_Allreduce(&came, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
    PMPI_Allreduce(&left, &first, 1, MPI_DOUBLE, MPI_MIN, comm);
    if (first < last) fail("a rank left before all had come", "no data", 0, late);
  }
}

void all_calls(const kind& kind, Collective collective, MPI_Comm comm, const Counts& tried = counts()) {
  const CollectiveInfo& info = info_of(collective);
  if (!info.moves_data()) return in_order(collective, comm);
  Counts lengths = tried;
  for (const std::int64_t count : tried)  // in parts of one length, too, which have a function of their own
    if (info.has_parts() && count % size != 0 && count <= 1000) lengths.push_back(count + size - count % size);
  for (const std::int64_t count : lengths)
    for (int root = 0; root < size; ++root) {
      if (info.rooted() ? !chosen(root, count) : root != 0) continue;
      one_call(kind, collective, count, root, false, comm);
      if (takes_in_place(row_of(collective), root, root) && (size <= 5 || count < 10000))
        one_call(kind, collective, count, root, true, comm);
    }
}

/// A stream in one buffer that ranks describe differently: a strided vector on the root, contiguous elements elsewhere.
void mixed_signatures(Collective collective, MPI_Comm comm) {
  for (const int count : {1, 7, 1000, 30011})
    for (int root = 0; root < size; root += std::max(1, size - 1)) {
      std::vector<std::int64_t> data(static_cast<std::size_t>(3 * count), -1);
      MPI_Datatype strided;
      MPI_Type_vector(count, 1, 3, MPI_INT64_T, &strided);
      MPI_Type_commit(&strided);
      const bool sends = rank == root;
      for (int i = 0; sends && i < count; ++i) data[static_cast<std::size_t>(3 * i)] = i + root;
      const int rc = error_of(collective, {nullptr, data.data(), sends ? 1 : count, sends ? strided : MPI_INT64_T,
                                           MPI_OP_NULL, root, comm});
      MPI_Type_free(&strided);
      bool right = rc == MPI_SUCCESS;
      for (int i = 0; i < count; ++i) right &= data[static_cast<std::size_t>(sends ? 3 * i : i)] == i + root;
      if (!right) fail("mixed signatures", "int64", count, root);
    }
}

/// Segments besides the formula's: one for dozens of blocks, and one for two.
void test_segments(int index) {
  const AlgorithmInfo& info = info_of(index);
  for (const std::int64_t segment : {600, 20000}) {
    const Forced forced({index, segment});
    all_calls(integers, info.collective, forced.comm(),
              segment < 1000 ? few_or_all({1000}, {7, 1000}) : few_or_all({30011}, {1000, 30011}));
    if (!info.commutative) all_calls(matrices, info.collective, forced.comm(), {1000});
  }
}

void test_options(int index) {
  const AlgorithmInfo& info = info_of(index);
  if (info.barrier)
    all_calls(matrices, info.collective, Forced({.algorithm = index, .barrier = true}).comm(), {1, 1000});
  for (int ports = 1; info.k_ported && ports <= 4; ++ports)
    all_calls(matrices, info.collective, Forced({.algorithm = index, .ports = ports}).comm(), {1, 1000});
}

void test_algorithm(int index) {
  const AlgorithmInfo& info = info_of(index);
  const Forced forced({index});
  all_calls(integers, info.collective, forced.comm(), few_or_all({7, 30011}, {1, 7, 1000, 30011}));
  for (const kind& kind : {doubles, located}) all_calls(kind, info.collective, forced.comm());
  if (!info.commutative) {
#ifndef OPEN_MPI  // which zero it takes depends on its place in the vector
    all_calls(zeros, info.collective, forced.comm(), {7});
#endif
    for (const kind& kind : {matrices, gappy}) all_calls(kind, info.collective, forced.comm());
  }
  if (info_of(info.collective).has_one_buffer()) mixed_signatures(info.collective, forced.comm());
  if (info.pipelined) test_segments(index);
  test_options(index);
}

/// Two ranks a node, none alone, and nodes of 1, 2 and all other ranks; the same as cache groups of one node.
void test_on_nodes(int index) {
  const AlgorithmInfo& info = info_of(index);
  const table::SimulatedGroups two{.each = 2}, one{.each = 1}, uneven{.ranges = {{0, 0}, {1, 2}}};
  for (const table::SimulatedGroups* nodes : {&two, &one, &uneven})
    for (const Forced& forced : {Forced({index}, *nodes), Forced({index}, {}, *nodes)})
      all_calls(matrices, info.collective, forced.comm());
  all_calls(matrices, info.collective, Forced({index, 20000}, uneven).comm());
}

void tell(int index, void (*test)(int), const char* where) {
  const long calls_before = calls;
  const std::uint64_t failed_before = failures;
  test(index);
  if (rank == 0)
    std::printf("%-35s p = %2d  %4ld calls%s  %s\n", listed[static_cast<std::size_t>(index)].name.data(), size,
                calls - calls_before, where, failures == failed_before ? "ok" : "FAILED");
}

}  // namespace
}  // namespace mpigraft::test

int main(int argc, char** argv) {
  using namespace mpigraft;
  const std::string_view option = argc > 1 ? argv[1] : "";
  if (option == "--long" && !std::getenv("MPIGRAFT_FULL")) return 77;  // skipped
  test::nonblocking = option == "--nonblocking";
  start(&argc, &argv);
  test::matrices = make_matrix_kind(), test::gappy = make_gappy_kind();
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) {
    if (find_algorithm(option) >= 0 && i != find_algorithm(option)) continue;
    test::tell(i, test::test_algorithm, "");
    if (info_of(i).placement != Placement::any) test::tell(i, test::test_on_nodes, " on nodes");
  }
  free_kind(&test::matrices), free_kind(&test::gappy);
  MPI_Finalize();
  return failures != 0;
}
