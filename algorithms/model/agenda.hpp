// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <utility>
#include <vector>

namespace mpigraft::model {

/// Entries by time, earliest first. Made for many entries at few different times.
template <class Entry>
class Agenda {
 public:
  bool empty() const { return moments_.empty(); }

  void add(double time, const Entry& entry) {
    if (latest_ == moments_.end() || latest_->first != time) {
      latest_ = moments_.try_emplace(time).first;
      if (latest_->second.capacity() == 0) latest_->second.swap(spare_);
    }
    latest_->second.push_back(entry);
  }

  /// Takes the earliest moment off, its entries in the order in which they came; valid until the next call.
  std::pair<double, const std::vector<Entry>&> next() {
    const auto first = moments_.begin();
    if (latest_ == first) latest_ = moments_.end();
    const double time = first->first;
    spare_ = std::exchange(current_, std::move(first->second));
    spare_.clear();
    moments_.erase(first);
    return {time, current_};
  }

 private:
  using Moments = std::map<double, std::vector<Entry>>;
  Moments moments_;
  typename Moments::iterator latest_ = moments_.end();  // added to last, or none
  std::vector<Entry> current_, spare_;
};

}  // namespace mpigraft::model
