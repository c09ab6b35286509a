// SPDX-License-Identifier: MIT
#include "shim/observe/gather.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>

#include "shim/abi/pmpi.hpp"
#include "shim/base/log.hpp"
#include "shim/wait/waiter.hpp"

namespace mpigraft {
namespace {

constexpr int tag = 0;
constexpr std::int64_t piece_bytes = 32768;  // on the stack: what arrives must not need memory

std::atomic<bool> all_gather{false};

bool finish(MPI_Request request) {
  MPI_Status status;
  return wait_all(1, &request, &status) == MPI_SUCCESS;
}

bool send(const void* bytes, std::int64_t count, int to, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  return pmpi.Isend(bytes, static_cast<int>(count), MPI_BYTE, to, tag, comm, &request) == MPI_SUCCESS &&
         finish(request);
}

bool receive(void* bytes, std::int64_t count, int from, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  return pmpi.Irecv(bytes, static_cast<int>(count), MPI_BYTE, from, tag, comm, &request) == MPI_SUCCESS &&
         finish(request);
}

/// Its length, then the text in pieces; a rank without memory for the text sends an empty one.
void send_report(const JobReport& report, int to, MPI_Comm comm) {
  std::string text;
  without_memory_silent([&] { text = json_of(report); });
  const auto length = static_cast<std::int64_t>(text.size());
  bool good = send(&length, sizeof length, to, comm);
  for (std::int64_t at = 0; good && at < length; at += piece_bytes)
    good = send(text.data() + at, std::min(piece_bytes, length - at), to, comm);
}

/// What a rank has no memory for it receives all the same, and leaves out.
void receive_report(JobReport& into, int from, MPI_Comm comm) {
  std::int64_t length = 0;
  std::string text;
  std::array<char, piece_bytes> piece;
  bool good = receive(&length, sizeof length, from, comm);
  for (std::int64_t at = 0; good && at < length; at += piece_bytes) {
    const std::int64_t n = std::min(piece_bytes, length - at);
    good = receive(piece.data(), n, from, comm);
    without_memory_silent([&] { text.append(piece.data(), static_cast<std::size_t>(n)); });
  }
  if (good && !text.empty())
    without_memory_silent([&] {
      const ParsedReport parsed = parse_report(text);  // a text with a hole is no JSON
      if (parsed.problem.empty()) merge(into, parsed.report);
    });
}

/// A communicator of all ranks that nobody else sends on, or MPI_COMM_NULL on all of them. Not by
/// MPI_Comm_create_from_group, which in MPI_Finalize waits for itself.
MPI_Comm meeting_place() {
  MPI_Errhandler programs = MPI_ERRHANDLER_NULL;
  pmpi.Comm_get_errhandler(MPI_COMM_WORLD, &programs);
  pmpi.Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // there may be no context id left
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  pmpi.Comm_group(MPI_COMM_WORLD, &group);
  pmpi.Comm_create(MPI_COMM_WORLD, group, &comm);
  pmpi.Group_free(&group);
  int mine = comm != MPI_COMM_NULL, all = 0;
  pmpi.Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (!all && mine) pmpi.Comm_free(&comm);
  pmpi.Comm_set_errhandler(MPI_COMM_WORLD, programs);
  pmpi.Errhandler_free(&programs);
  return comm;
}

/// Up a binomial tree: after round k, ranks divisible by 2^k have the reports of 2^k ranks.
Gathered gather_on(MPI_Comm comm, JobReport& report) {
  int rank = 0, size = 0;
  pmpi.Comm_rank(comm, &rank);
  pmpi.Comm_size(comm, &size);
  for (int distance = 1; distance < size; distance *= 2) {
    if (rank & distance) {
      send_report(report, rank - distance, comm);
      return Gathered::elsewhere;
    }
    if (rank + distance < size) receive_report(report, rank + distance, comm);
  }
  return Gathered::here;
}

}  // namespace

void expect_all_to_gather() { all_gather = true; }

Gathered gather(JobReport& report, MPI_Comm world) {
  if (!all_gather) return Gathered::apart;
  MPI_Comm comm = world != MPI_COMM_NULL ? world : meeting_place();
  if (comm == MPI_COMM_NULL) return Gathered::apart;
  const Gathered gathered = gather_on(comm, report);
  if (world == MPI_COMM_NULL) pmpi.Comm_free(&comm);
  return gathered;
}

}  // namespace mpigraft
