// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "algorithms/schedule/draft.hpp"

namespace mpigraft::schedule {
namespace {

/// Scratch that one group after the other uses.
struct Room {
  std::int64_t at, count;
  Time end;
};

}  // namespace

std::int64_t lay_out_scratch(Draft& draft) {
  static thread_local std::vector<Room> rooms;
  static thread_local std::vector<std::size_t> order;
  rooms.clear();
  order.resize(draft.groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return draft.groups[i].begin; });
  std::int64_t used = 0;
  Time first_end = forever;  // nothing is free before
  for (const std::size_t i : order) {
    ScratchGroup& group = draft.groups[i];
    if (group.begin == forever || group.count == 0) continue;
    Room* room = nullptr;
    if (first_end < group.begin)
      for (Room& each : rooms)
        if (each.end < group.begin && each.count >= group.count && (!room || each.count < room->count)) room = &each;
    if (!room) {
      if (used % draft.length + group.count > draft.length) used += draft.length - used % draft.length;
      rooms.push_back({used, group.count, 0});
      used += group.count;
      room = &rooms.back();
    }
    group.at = room->at;
    room->end = group.end;
    first_end = std::ranges::min(rooms, {}, &Room::end).end;
  }
  return used;
}

}  // namespace mpigraft::schedule
