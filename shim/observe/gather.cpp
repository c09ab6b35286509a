// SPDX-License-Identifier: MIT
// Merges the reports of all ranks into one report of the job.
#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <string_view>

#include "shim/abi/functions.hpp"
#include "shim/base/log.hpp"
#include "shim/observe/report.hpp"
#include "shim/wait/requests.hpp"

namespace mpigraft::observe {

namespace {

constexpr int tag = 0;
constexpr std::int64_t piece_bytes = 32768;  // a piece lies on the stack, because receiving must not need memory

std::atomic<bool> all_gather{false};

/// Does `begin`, abi::isend or abi::irecv, to its end.
bool pass(auto begin, auto* bytes, std::int64_t count, int peer, abi::Comm comm) {
  abi::Request request;
  abi::Status status;
  return begin(bytes, static_cast<int>(count), abi::type_byte, peer, tag, comm, request) == abi::success &&
         wait::wait_for(request, status) == abi::success;
}

/// Sends the length of a text, then the text in pieces.
void send_text(std::string_view text, int to, abi::Comm comm) {
  const auto length = static_cast<std::int64_t>(text.size());
  bool good = pass(abi::isend, &length, sizeof length, to, comm);
  for (std::int64_t at = 0; good && at < length; at += piece_bytes)
    good = pass(abi::isend, text.data() + at, std::min(piece_bytes, length - at), to, comm);
}

/// Receives a text of send_text(). A rank without memory for it receives it nevertheless, and returns "".
std::string receive_text(int from, abi::Comm comm) {
  std::int64_t length = 0;
  std::string text;
  std::array<char, piece_bytes> piece;
  bool good = pass(abi::irecv, &length, sizeof length, from, comm);
  for (std::int64_t at = 0; good && at < length; at += piece_bytes) {
    const std::int64_t n = std::min(piece_bytes, length - at);
    good = pass(abi::irecv, piece.data(), n, from, comm);
    base::ignore_bad_alloc([&] { text.append(piece.data(), static_cast<std::size_t>(n)); });
  }
  if (!good || static_cast<std::int64_t>(text.size()) != length) text.clear();
  return text;
}

/// Merges along a binomial tree: after k children a rank has what 2^k ranks had. A rank without memory for its text
/// sends an empty one.
void merge_on_rank_0(report::JobReport& report, abi::Comm comm) {
  const int rank = abi::comm_rank(comm), size = abi::comm_size(comm);
  for (int distance = 1; rank + distance < size && !(rank & distance); distance *= 2) {
    const std::string text = receive_text(rank + distance, comm);
    base::ignore_bad_alloc([&] {
      const report::ParsedReport parsed = report::parse_report(text);  // an empty text is no report
      if (parsed.problem.empty()) report::merge(report, parsed.report);
    });
  }
  if (rank == 0) return;
  std::string text;
  base::ignore_bad_alloc([&] { text = report::json_of(report); });
  const int parent = rank & (rank - 1);
  send_text(text, parent, comm);
}

}  // namespace

void expect_all_to_gather() { all_gather = true; }

Reports gather(report::JobReport& report, abi::Comm world) {
  if (!all_gather) return Reports::apart;
  abi::Comm own = world == abi::Comm::null ? abi::comm_copy(abi::comm_world, nullptr) : abi::Comm::null;
  const abi::Comm comm = own == abi::Comm::null ? world : own;
  if (comm == abi::Comm::null) return Reports::apart;
  merge_on_rank_0(report, comm);
  if (own != abi::Comm::null) abi::comm_free(own);
  return abi::comm_rank(abi::comm_world) == 0 ? Reports::here : Reports::elsewhere;
}

}  // namespace mpigraft::observe
