// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "algorithms/schedule/draft.hpp"

namespace mpigraft::schedule {
namespace {

class Layout {
 public:
  Layout(List<Room>& rooms, std::int64_t row) : rooms_(rooms), row_(row) { rooms_.clear(); }

  /// The first elements that nobody uses from `begin` on. REQUIRES: no earlier call had a later `begin`.
  std::int64_t place(std::int64_t count, Time begin, Time end) {
    if (first_end_ < begin) {
      std::erase_if(rooms_, [=](const Room& room) { return room.end < begin; });
      first_end_ = forever;
      for (const Room& room : rooms_) first_end_ = std::min(first_end_, room.end);
      has_gaps_ = true;
    }
    auto next = has_gaps_ ? rooms_.begin() : rooms_.end();
    std::int64_t at = within_row(next == rooms_.begin() ? 0 : top_, count);
    for (; next != rooms_.end() && next->at < at + count; ++next) at = within_row(next->at + next->count, count);
    rooms_.insert(next, {at, count, end});
    first_end_ = std::min(first_end_, end);
    top_ = std::max(top_, at + count);
    return at;
  }
  std::int64_t rows() const { return row_ > 0 ? (top_ + row_ - 1) / row_ : 0; }

 private:
  std::int64_t within_row(std::int64_t at, std::int64_t count) const {
    return at % row_ + count > row_ ? at + row_ - at % row_ : at;
  }

  List<Room>& rooms_;  // by address
  const std::int64_t row_;
  std::int64_t top_ = 0;
  Time first_end_ = forever;  // nothing becomes free before
  bool has_gaps_ = false;
};

}  // namespace

void lay_out_scratch(Draft& draft) {
  List<std::size_t>& order = draft.order;
  order.resize(draft.groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return draft.groups[i].begin; });
  std::int64_t row = 0;
  for (const ScratchGroup& group : draft.groups) row = std::max(row, group.count);
  Layout layout(draft.rooms, row);
  for (const std::size_t i : order) {
    ScratchGroup& group = draft.groups[i];
    if (group.count > 0) group.at = layout.place(group.count, group.begin, group.under_way);
  }
  draft.scratch = {row, static_cast<int>(layout.rows())};
}

}  // namespace mpigraft::schedule
