// SPDX-License-Identifier: MIT
#include "shim/agree/world.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "shim/abi/functions.hpp"

namespace mpigraft::agree {
namespace {

enum class World { unknown, in_touch, in_touch_at_once };
std::atomic<World> world{World::unknown};

}  // namespace

/// A reason that needs no vote, because all ranks see it: an intercommunicator, or a process outside MPI_COMM_WORLD.
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

void know_world(bool at_once) { world = at_once ? World::in_touch_at_once : World::in_touch; }

Contact contact_in_world(abi::Comm comm) {
  const World known = world;
  const bool in_touch = known != World::unknown && native_by_nature(comm) == FallbackReason::none;
  return {.in_touch = in_touch, .due = false, .at_once = known == World::in_touch_at_once};
}

}  // namespace mpigraft::agree
