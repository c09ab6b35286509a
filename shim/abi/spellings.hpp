// SPDX-License-Identifier: MIT
// The names of functions in lower and in upper case, because the preprocessor knows no other way.
#pragma once

#include <algorithm>
#include <string_view>

namespace mpigraft::abi {

/// Checks at compile time that a function has its spellings.
constexpr bool is_lower_case_of(std::string_view lower, std::string_view name) {
  return std::ranges::equal(lower, name, {}, {}, [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c + 0; });
}

}  // namespace mpigraft::abi

#define LOWER_Scan scan
#define UPPER_Scan SCAN
#define LOWER_Exscan exscan
#define UPPER_Exscan EXSCAN
#define LOWER_Bcast bcast
#define UPPER_Bcast BCAST
#define LOWER_Reduce reduce
#define UPPER_Reduce REDUCE
#define LOWER_Barrier barrier
#define UPPER_Barrier BARRIER
#define LOWER_Allreduce allreduce
#define UPPER_Allreduce ALLREDUCE
#define LOWER_Reduce_scatter reduce_scatter
#define UPPER_Reduce_scatter REDUCE_SCATTER
#define LOWER_Reduce_scatter_block reduce_scatter_block
#define UPPER_Reduce_scatter_block REDUCE_SCATTER_BLOCK
#define LOWER_Allgatherv allgatherv
#define UPPER_Allgatherv ALLGATHERV
#define LOWER_Allgather allgather
#define UPPER_Allgather ALLGATHER
#define LOWER_Comm_free comm_free
#define UPPER_Comm_free COMM_FREE
#define LOWER_Comm_disconnect comm_disconnect
#define UPPER_Comm_disconnect COMM_DISCONNECT
#define LOWER_Finalize finalize
#define UPPER_Finalize FINALIZE
