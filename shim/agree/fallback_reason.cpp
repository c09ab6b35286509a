// SPDX-License-Identifier: MIT
#include "shim/agree/fallback_reason.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "shim/abi/functions.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"

namespace mpigraft::agree {

void tell_reason(FallbackReason reason) {
  if (base::settings().verbose > 0)
    base::ignore_bad_alloc(
        [&] { base::log_once(std::string(words_of(reason)) + ": further communicators stay native"); });
}

FallbackReason native_by_nature(abi::Comm comm) {
  if (abi::comm_is_inter(comm)) return FallbackReason::intercommunicator;
  if (comm == abi::comm_world) return FallbackReason::none;
  abi::Group mine = abi::comm_group(comm), world = abi::comm_group(abi::comm_world);
  const int size = abi::comm_size(comm);
  std::array<int, 256> ranks, in_world;  // some ranks at a time, because nothing here may need memory
  FallbackReason reason = FallbackReason::none;
  for (int first = 0; first < size; first += static_cast<int>(ranks.size())) {
    const int n = std::min(size - first, static_cast<int>(ranks.size()));
    for (int i = 0; i < n; ++i) ranks[static_cast<std::size_t>(i)] = first + i;
    abi::group_translate_ranks(mine, n, ranks.data(), world, in_world.data());
    if (std::count(in_world.begin(), in_world.begin() + n, abi::undefined) > 0) reason = FallbackReason::other_world;
  }
  abi::group_free(mine);
  abi::group_free(world);
  return reason;
}

}  // namespace mpigraft::agree
