// SPDX-License-Identifier: MIT
// The bytes of the file in which a rank keeps its last calls (MPIGRAFT_TRACE, MPIGRAFT_TIMEOUT), and its entries in
// words. libmpigraft-watch.so maps it, so a hang can be explained from it, whatever became of the rank.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mpigraft::report {

inline constexpr std::int64_t trace_format = 4;
inline constexpr std::size_t traced_calls = 64, traced_messages = 4;

/// Text that fills its place or ends in NUL.
template <std::size_t n>
using TraceText = std::array<char, n>;

/// The ranks that make a call together.
enum class Together : std::int32_t {
  nobody,  // the rank makes it alone
  ranks,   // all of the communicator
  alike,   // all of the communicator, with as many bytes each
};

inline constexpr std::int32_t any = -1;      // in place of a rank or a tag
inline constexpr std::int32_t no_rank = -2;  // MPI_PROC_NULL, or a root that is none

/// A message that a call sends or receives, or that it waits for.
struct TraceMessage {
  TraceText<32> function{};  // the function that started it; empty: the call itself sends or receives
  std::int32_t sent = 0;     // 1: to the peer; 0: from it; -1: no message, but a collective that was started
  std::int32_t peer = 0;
  std::int32_t of_world = 0;  // 1: the peer is a rank of MPI_COMM_WORLD; 0: of the communicator
  std::int32_t tag = any;
};

/// A communicator, and this rank in it.
struct TraceComm {
  TraceText<32> name{};  // the same on all its ranks; empty: not known
  std::int32_t rank = 0, size = 0;
  std::int32_t world_order = 0;  // 1: its ranks are those of MPI_COMM_WORLD
};

struct TraceEntry {
  std::int64_t number = 0;  // number among this rank's entries, from 1; 0: none yet
  std::int64_t call = 0;    // of those that ranks make together on this communicator, from 1
  TraceComm comm;
  Together together = Together::nobody;
  TraceText<32> function{};
  std::int64_t count = -1, bytes = -1;  // -1: not known, or there is none
  TraceText<32> type{}, op{};
  std::int32_t root = any;      // any: there is none
  std::int32_t operations = 0;  // messages and collectives: those of the call, or those that it waits for
  std::array<TraceMessage, traced_messages> messages{};  // the first of them
  std::int64_t entered = 0, left = 0;                    // seconds since 1970; left 0: the rank is in it
};

struct TraceFile {
  TraceText<16> mark{};  // trace_mark
  std::int64_t format = trace_format;
  std::int64_t rank = 0, size = 0;  // of MPI_COMM_WORLD
  std::int64_t pid = 0;
  std::int64_t loaded = 0;      // seconds since 1970: when the process loaded the library
  std::int64_t finalized = 0;   // 1: MPI_Finalize has begun
  std::int64_t polled = 0;      // seconds since 1970: when MPI last polled for messages here
  std::int64_t told = 0;        // number of the last entry that was told as part of a hang
  std::int64_t told_at = 0;     // seconds since 1970: when a rank told last
  std::int64_t made = 0;        // entries so far
  std::int64_t mismatched = 0;  // number of the call for which this rank last told that ranks differ in it
  std::array<TraceEntry, traced_calls> entries;  // entry n at (n - 1) % traced_calls
};

inline constexpr TraceText<16> trace_mark{"mpigraft trace"};

using Traces = std::map<std::int64_t, TraceFile>;  // by rank of MPI_COMM_WORLD

/// The traces in a folder that are of the latest job there; other files, and broken ones, are left out.
Traces read_traces(const std::string& folder);

template <std::size_t n>
std::string_view text_of(const TraceText<n>& text) {
  return {text.data(), strnlen(text.data(), n)};
}

/// "12:34:56", local time.
std::string clock_of(std::int64_t seconds);

/// "MPI_COMM_WORLD", "communicator NAME"; empty if it is not known.
std::string communicator_of(const TraceEntry& entry);

/// "MPI_Bcast of 4 MPI_INT (16 bytes), root 0".
std::string words_of(const TraceEntry& entry);

/// Ascending ranks: "0 1 3", "0-7 9".
std::string listed(const std::vector<std::int64_t>& ranks);

}  // namespace mpigraft::report
