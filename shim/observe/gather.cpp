// SPDX-License-Identifier: MIT
#include "shim/observe/gather.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>

#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/base/log.hpp"
#include "shim/wait/waiter.hpp"

namespace mpigraft::observe {
namespace {

constexpr int tag = 0;
constexpr std::int64_t piece_bytes = 32768;  // on the stack: what arrives must not need memory

std::atomic<bool> all_gather{false};

bool finish(abi::Request request) {
  abi::Status status;
  return wait::wait_all(1, &request, &status) == abi::success;
}

bool send(const void* bytes, std::int64_t count, int to, abi::Comm comm) {
  abi::Request request;
  return abi::isend(bytes, static_cast<int>(count), abi::type_byte, to, tag, comm, request) == abi::success &&
         finish(request);
}

bool receive(void* bytes, std::int64_t count, int from, abi::Comm comm) {
  abi::Request request;
  return abi::irecv(bytes, static_cast<int>(count), abi::type_byte, from, tag, comm, request) == abi::success &&
         finish(request);
}

/// Its length, then the text in pieces; a rank without memory for the text sends an empty one.
void send_report(const report::JobReport& report, int to, abi::Comm comm) {
  std::string text;
  base::without_memory_silent([&] { text = report::json_of(report); });
  const auto length = static_cast<std::int64_t>(text.size());
  bool good = send(&length, sizeof length, to, comm);
  for (std::int64_t at = 0; good && at < length; at += piece_bytes)
    good = send(text.data() + at, std::min(piece_bytes, length - at), to, comm);
}

/// A rank receives what it has no memory for all the same, and leaves it out.
void receive_report(report::JobReport& into, int from, abi::Comm comm) {
  std::int64_t length = 0;
  std::string text;
  std::array<char, piece_bytes> piece;
  bool good = receive(&length, sizeof length, from, comm);
  for (std::int64_t at = 0; good && at < length; at += piece_bytes) {
    const std::int64_t n = std::min(piece_bytes, length - at);
    good = receive(piece.data(), n, from, comm);
    base::without_memory_silent([&] { text.append(piece.data(), static_cast<std::size_t>(n)); });
  }
  if (good && !text.empty())
    base::without_memory_silent([&] {
      const report::ParsedReport parsed = report::parse_report(text);  // a text with a hole is no JSON
      if (parsed.problem.empty()) report::merge(into, parsed.report);
    });
}

/// A communicator of all ranks that nobody else sends on, or null on all of them. Not by abi::comm_copy, which in
/// MPI_Finalize waits for itself.
abi::Comm meeting_place() {
  abi::Errhandler programs = abi::comm_get_errhandler(abi::comm_world);
  abi::comm_set_errhandler(abi::comm_world, abi::errors_return);  // there may be no context id left
  abi::Group group = abi::comm_group(abi::comm_world);
  abi::Comm comm = abi::comm_create(abi::comm_world, group);
  abi::group_free(group);
  const bool mine = comm != abi::Comm::null, all = abi::true_on_all(mine, abi::comm_world);
  if (!all && mine) abi::comm_free(comm);
  abi::comm_set_errhandler(abi::comm_world, programs);
  abi::errhandler_free(programs);
  return comm;
}

/// Up a binomial tree: after round k, ranks divisible by 2^k have the reports of 2^k ranks.
Gathered gather_on(abi::Comm comm, report::JobReport& report) {
  const int rank = abi::comm_rank(comm), size = abi::comm_size(comm);
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

Gathered gather(report::JobReport& report, abi::Comm world) {
  if (!all_gather) return Gathered::apart;
  abi::Comm comm = world != abi::Comm::null ? world : meeting_place();
  if (comm == abi::Comm::null) return Gathered::apart;
  const Gathered gathered = gather_on(comm, report);
  if (world == abi::Comm::null) abi::comm_free(comm);
  return gathered;
}

}  // namespace mpigraft::observe
