// SPDX-License-Identifier: MIT
#include "shim/agree/fallback_reason.hpp"

#include <algorithm>
#include <array>

#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"

namespace mpigraft::agree {

std::string words_of(FallbackReason reason) {
  switch (reason) {
    case FallbackReason::none:
      break;
    case FallbackReason::later:
      return "not set up yet";
    case FallbackReason::intercommunicator:
      return "intercommunicator";
    case FallbackReason::other_world:
      return "a process of another MPI_COMM_WORLD";
    case FallbackReason::settings:
      return "a defect in an MPIGRAFT_* variable";
    case FallbackReason::library:
      return "the MPI library is not what its binary interface says";
    case FallbackReason::gpu:
      return "a GPU driver is loaded that cannot be asked where buffers lie";
    case FallbackReason::site:
      return "the site has switched mpigraft off";
    case FallbackReason::table:
      return "the table is unusable";
    case FallbackReason::differs:
      return "settings differ between ranks";
    case FallbackReason::memory:
      return "a rank was out of memory";
    case FallbackReason::many:
      return std::to_string(max_private_communicators) + " private communicators are in use";
    case FallbackReason::warming_up:
      return "first calls of a communicator";
    case FallbackReason::persistent:
      return "persistent, and there is no room for another such request, or MPI_Start does not reach mpigraft";
    case FallbackReason::early:
      return "nonblocking, before a blocking call has set the communicator up";
    case FallbackReason::not_carried_on:
      return "nonblocking, but mpigraft cannot run inside MPI's other calls, or several threads call MPI";
    case FallbackReason::program_operator:
      return "nonblocking, with a user-defined operator, and MPI_Op_free does not reach mpigraft";
    case FallbackReason::context:
      return "MPI has no context id left for a private communicator";
  }
  return {};
}

void tell_reason(FallbackReason reason) {
  if (base::settings().verbose > 0)
    base::ignore_bad_alloc([&] { base::log_once(words_of(reason) + ": further communicators stay native"); });
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
