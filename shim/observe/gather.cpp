// SPDX-License-Identifier: MIT
#include "shim/observe/gather.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <string_view>

#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/host.hpp"
#include "shim/base/log.hpp"
#include "shim/wait/waiter.hpp"

namespace mpigraft::observe {

using report::Arrival;

namespace {

constexpr int tag = 0;
constexpr std::int64_t clock_questions = 16;
constexpr std::int64_t piece_bytes = 32768;  // a piece lies on the stack, because receiving must not need memory

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

/// Sends the length of a text, then the text in pieces.
void send_text(std::string_view text, int to, abi::Comm comm) {
  const auto length = static_cast<std::int64_t>(text.size());
  bool good = send(&length, sizeof length, to, comm);
  for (std::int64_t at = 0; good && at < length; at += piece_bytes)
    good = send(text.data() + at, std::min(piece_bytes, length - at), to, comm);
}

/// Receives a text of send_text(). A rank without memory for it receives it nevertheless, and returns "".
std::string receive_text(int from, abi::Comm comm) {
  std::int64_t length = 0;
  std::string text;
  std::array<char, piece_bytes> piece;
  bool good = receive(&length, sizeof length, from, comm);
  for (std::int64_t at = 0; good && at < length; at += piece_bytes) {
    const std::int64_t n = std::min(piece_bytes, length - at);
    good = receive(piece.data(), n, from, comm);
    base::without_memory_silent([&] { text.append(piece.data(), static_cast<std::size_t>(n)); });
  }
  if (!good || static_cast<std::int64_t>(text.size()) != length) text.clear();
  return text;
}

/// Makes a communicator of all ranks that nobody else sends on, or null on all of them. abi::comm_copy would wait for
/// itself in MPI_Finalize.
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

/// Calls each(rank) for this rank's children in a binomial tree, nearest first. After k of them it has what 2^k ranks
/// had.
template <class F>
void for_children(abi::Comm comm, F each) {
  const int rank = abi::comm_rank(comm), size = abi::comm_size(comm);
  for (int distance = 1; rank + distance < size && !(rank & distance); distance *= 2) each(rank + distance);
}

/// REQUIRES: rank > 0.
int parent_of(int rank) { return rank & (rank - 1); }

std::string bytes_of(const std::vector<Arrival>& arrivals) {
  std::string bytes;
  base::without_memory_silent(
      [&] { bytes.assign(reinterpret_cast<const char*>(arrivals.data()), arrivals.size() * sizeof(Arrival)); });
  return bytes;
}

/// The arrivals that a rank has sent; none without memory.
std::vector<Arrival> receive_arrivals(int from, abi::Comm comm) {
  const std::string bytes = receive_text(from, comm);
  std::vector<Arrival> arrivals;
  base::without_memory_silent([&] {
    arrivals.resize(bytes.size() / sizeof(Arrival));
    if (!bytes.empty()) std::memcpy(arrivals.data(), bytes.data(), bytes.size());
  });
  return arrivals;
}

void shift(std::vector<Arrival>& arrivals, std::int64_t by) {
  for (Arrival& arrival : arrivals) arrival.last += by;
}

/// The nanoseconds by which a child's clock is ahead of this rank's: 0 on the same host. Otherwise the clock is asked
/// several times, and the fastest answer counts (Cristian 1989).
std::int64_t ahead_of_us(std::uint64_t host, int child, abi::Comm comm) {
  std::uint64_t its_host = 0;
  receive(&its_host, sizeof its_host, child, comm);
  const std::int64_t questions = its_host == host ? 0 : clock_questions;
  send(&questions, sizeof questions, child, comm);
  std::int64_t fastest = INT64_MAX, ahead = 0;
  for (std::int64_t i = 0; i < questions; ++i) {
    std::int64_t theirs = 0;
    const std::int64_t asked = base::now_ns();
    send(&asked, sizeof asked, child, comm);
    receive(&theirs, sizeof theirs, child, comm);
    const std::int64_t took = base::now_ns() - asked;
    if (took >= fastest) continue;
    fastest = took;
    ahead = theirs - (asked + took / 2);
  }
  return ahead;
}

/// The child's side of ahead_of_us().
void tell_clock(std::uint64_t host, int parent, abi::Comm comm) {
  send(&host, sizeof host, parent, comm);
  std::int64_t questions = 0;
  receive(&questions, sizeof questions, parent, comm);
  for (std::int64_t i = 0; i < questions; ++i) {
    std::int64_t asked = 0;
    receive(&asked, sizeof asked, parent, comm);
    const std::int64_t now = base::now_ns();
    send(&now, sizeof now, parent, comm);
  }
}

}  // namespace

void expect_all_to_gather() { all_gather = true; }

Meeting::Meeting(abi::Comm world) {
  if (!all_gather) return;
  own_ = world == abi::Comm::null;
  comm_ = own_ ? meeting_place() : world;
}

Meeting::~Meeting() {
  if (own_ && comm_ != abi::Comm::null) abi::comm_free(comm_);
}

void Meeting::compare(std::vector<Arrival>& arrivals) {
  const int rank = abi::comm_rank(comm_);
  const std::uint64_t host = base::host_facts().host;
  std::array<std::int64_t, 32> ahead{};  // by child
  std::size_t children = 0;
  for_children(comm_, [&](int child) {
    ahead[children] = ahead_of_us(host, child, comm_);
    std::vector<Arrival> theirs = receive_arrivals(child, comm_);
    shift(theirs, -ahead[children++]);
    base::without_memory_silent([&] { report::merge(arrivals, theirs); });
  });
  if (rank > 0) {
    tell_clock(host, parent_of(rank), comm_);
    send_text(bytes_of(arrivals), parent_of(rank), comm_);
    arrivals = receive_arrivals(parent_of(rank), comm_);
  }
  children = 0;
  for_children(comm_, [&](int child) {
    shift(arrivals, ahead[children]);
    send_text(bytes_of(arrivals), child, comm_);
    shift(arrivals, -ahead[children++]);
  });
}

/// A rank without memory for its text sends an empty one.
bool Meeting::gather(report::JobReport& report) {
  for_children(comm_, [&](int child) {
    const std::string text = receive_text(child, comm_);
    base::without_memory_silent([&] {
      const report::ParsedReport parsed = report::parse_report(text);  // an empty text is no report
      if (parsed.problem.empty()) report::merge(report, parsed.report);
    });
  });
  const int rank = abi::comm_rank(comm_);
  if (rank == 0) return true;
  std::string text;
  base::without_memory_silent([&] { text = report::json_of(report); });
  send_text(text, parent_of(rank), comm_);
  return false;
}

}  // namespace mpigraft::observe
