// SPDX-License-Identifier: MIT
#include "shim/agree/refusal.hpp"

#include <algorithm>
#include <array>

#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/agree/claim.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"

namespace mpigraft::agree {

std::string words_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::none:
      break;
    case Refusal::later:
      return "not set up yet";
    case Refusal::intercommunicator:
      return "intercommunicator";
    case Refusal::other_world:
      return "a process of another MPI_COMM_WORLD";
    case Refusal::settings:
      return "a defect in an MPIGRAFT_* variable";
    case Refusal::library:
      return "the MPI library is not what its binary interface says";
    case Refusal::gpu:
      return "a GPU driver is loaded that cannot be asked where buffers lie";
    case Refusal::table:
      return "the table is unusable";
    case Refusal::differs:
      return "settings differ between ranks";
    case Refusal::memory:
      return "a rank was out of memory";
    case Refusal::many:
      return std::to_string(max_private_communicators) + " private communicators are in use";
    case Refusal::young:
      return "first calls of a communicator";
    case Refusal::persistent:
      return "persistent, which always stays native";
    case Refusal::early:
      return "nonblocking, before a blocking call has set the communicator up";
    case Refusal::not_carried_on:
      return "nonblocking, but mpigraft cannot run inside MPI's other calls, or several threads call MPI";
    case Refusal::program_operator:
      return "nonblocking, with a user-defined operator";
    case Refusal::context:
      return "MPI has no context id left for a private communicator";
  }
  return {};
}

void tell_refusal(Refusal refusal) {
  if (base::settings().verbose > 0)
    base::ignore_bad_alloc([&] { base::log_once(words_of(refusal) + ": further communicators stay native"); });
}

Refusal native_by_nature(abi::Comm comm) {
  if (abi::comm_is_inter(comm)) return Refusal::intercommunicator;
  if (comm == abi::comm_world) return Refusal::none;
  abi::Group mine = abi::comm_group(comm), world = abi::comm_group(abi::comm_world);
  const int size = abi::comm_size(comm);
  std::array<int, 256> ranks, in_world;  // some ranks at a time, because nothing here may need memory
  Refusal refusal = Refusal::none;
  for (int first = 0; first < size; first += static_cast<int>(ranks.size())) {
    const int n = std::min(size - first, static_cast<int>(ranks.size()));
    for (int i = 0; i < n; ++i) ranks[static_cast<std::size_t>(i)] = first + i;
    abi::group_translate_ranks(mine, n, ranks.data(), world, in_world.data());
    if (std::count(in_world.begin(), in_world.begin() + n, abi::undefined) > 0) refusal = Refusal::other_world;
  }
  abi::group_free(mine);
  abi::group_free(world);
  return refusal;
}

}  // namespace mpigraft::agree
