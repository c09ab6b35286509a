// SPDX-License-Identifier: MIT
// The file that a rank keeps of its last calls (MPIGRAFT_TRACE), as its bytes are: the library maps it, and `mpigraft
// doctor --hang` reads it, whatever became of the rank.
#pragma once

#include <array>
#include <cstdint>

namespace mpigraft::report {

inline constexpr std::int64_t trace_format = 1;
inline constexpr std::size_t traced_calls = 64;
inline constexpr std::int32_t set_up = -1;  // in place of a collective: the ranks of a communicator agree, once

/// Text that fills its place or ends in NUL.
template <std::size_t n>
using TraceText = std::array<char, n>;

struct TraceEntry {
  std::int64_t number = 0;  // of this rank's entries, from 1; 0: none yet
  std::int64_t call = 0;    // on this communicator, from 1; its set-up: that at which it comes, 0 for the first
  TraceText<32> comm{};     // names the communicator, on all its ranks alike
  std::int32_t comm_rank = 0, comm_size = 0;
  std::int32_t world_order = 0;  // 1: ranks of the communicator are those of MPI_COMM_WORLD
  std::int32_t collective = set_up;
  std::int64_t bytes = 0;
  TraceText<40> algorithm{};
  std::int64_t entered = 0, left = 0;  // seconds since 1970; left 0: the rank is in it
};

struct TraceFile {
  TraceText<16> mark{};  // trace_mark
  std::int64_t format = trace_format;
  std::int64_t rank = 0, size = 0;  // of MPI_COMM_WORLD
  std::int64_t pid = 0;
  std::int64_t finalized = 0;                    // 1: MPI_Finalize has begun
  std::array<TraceEntry, traced_calls> entries;  // entry n at (n - 1) % traced_calls
};

inline constexpr TraceText<16> trace_mark{"mpigraft trace"};

}  // namespace mpigraft::report
