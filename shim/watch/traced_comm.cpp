// SPDX-License-Identifier: MIT
#include "shim/watch/traced_comm.hpp"

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

#include "config/table/digest.hpp"
#include "shim/abi/constants.hpp"
#include "shim/base/log.hpp"
#include "shim/watch/trace_file.hpp"

namespace mpigraft::watch {
namespace {

std::mutex& mutex() {
  static std::mutex& of_process = *new std::mutex;
  return of_process;
}

/// MPI_Finalize begins with the attributes of MPI_COMM_SELF, whatever language called it (MPI-4.0, 11.2.4).
void forget(abi::Comm comm, void* attribute) {
  if (comm == abi::comm_self) trace_file()->finalized = 1;
  delete static_cast<TracedComm*>(attribute);
}

abi::Keyval key() {
  static constexpr abi::AttributeFunctions functions{forget};
  static const abi::Keyval made = abi::comm_create_keyval(functions);
  return made;
}

/// By rank of a communicator: its rank in MPI_COMM_WORLD, or `undefined`.
std::vector<int> places_in_world(abi::Comm comm, int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size)), there(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  abi::Group mine = abi::comm_group(comm), world = abi::comm_group(abi::comm_world);
  abi::group_translate_ranks(mine, size, ranks.data(), world, there.data());
  abi::group_free(mine);
  abi::group_free(world);
  return there;
}

/// Names a communicator, on all its ranks alike, by its members and its origin. Without an origin, it counts the
/// communicators of the same members: ranks make them in the same order, unless several threads do.
void name(TracedComm& traced, abi::Comm comm, std::uint64_t origin) {
  static auto& made = *new std::map<std::uint64_t, int>;
  const std::vector<int> members = places_in_world(comm, traced.place.size);
  traced.place.world_order = 1;
  for (int rank = 0; rank < traced.place.size; ++rank)
    if (members[static_cast<std::size_t>(rank)] != rank) traced.place.world_order = 0;
  const std::uint64_t mark =
      table::digest(reinterpret_cast<const char*>(members.data()), members.size() * sizeof(int), origin);
  const auto short_mark = static_cast<unsigned long long>(mark % (std::uint64_t{1} << 48));
  if (comm == abi::comm_world || comm == abi::comm_self)
    std::snprintf(traced.place.name.data(), traced.place.name.size(),
                  comm == abi::comm_world ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
  else if (origin != 0)
    std::snprintf(traced.place.name.data(), traced.place.name.size(), "%012llx", short_mark);
  else
    std::snprintf(traced.place.name.data(), traced.place.name.size(), "%012llx.%d", short_mark, ++made[mark]);
}

}  // namespace

TracedComm* traced_comm(abi::Comm comm, abi::Refused& refused, std::uint64_t origin) {
  TracedComm* traced = nullptr;
  const auto look = [&] {
    void* attribute = nullptr;
    bool found = false;
    refused = abi::comm_get_attr(comm, key(), attribute, found);
    if (found) traced = static_cast<TracedComm*>(attribute);
    return found || refused;
  };
  if (look()) return traced;  // without the lock, because an error calls the program's handler, which may call MPI
  base::ignore_bad_alloc([&] {
    const std::lock_guard lock(mutex());
    if (look()) return;
    auto fresh = std::make_unique<TracedComm>();
    fresh->place.rank = abi::comm_rank(comm);
    fresh->place.size = abi::comm_size(comm);
    fresh->inter = abi::comm_is_inter(comm);
    if (!fresh->inter) name(*fresh, comm, origin);
    traced = fresh.release();
    abi::comm_set_attr(comm, key(), traced);
  });
  return traced;
}

std::uint64_t origin_of(const TracedComm& parent, std::int64_t call) {
  const std::uint64_t name = table::digest(parent.place.name.data(), parent.place.name.size());
  return table::digest(reinterpret_cast<const char*>(&call), sizeof call, name);
}

std::int32_t world_rank(abi::Comm comm, const TracedComm& traced, std::int32_t rank, bool& found) {
  found = !traced.inter && rank >= 0 && rank < traced.place.size;
  if (!found || traced.place.world_order) return rank;
  abi::Group mine = abi::comm_group(comm), world = abi::comm_group(abi::comm_world);
  std::int32_t there = rank;
  abi::group_translate_ranks(mine, 1, &rank, world, &there);
  abi::group_free(mine);
  abi::group_free(world);
  found = there != abi::undefined;
  return found ? there : rank;
}

}  // namespace mpigraft::watch
