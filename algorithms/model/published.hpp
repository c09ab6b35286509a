// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "algorithms/model/violation.hpp"

namespace mpigraft::model {

/// The page that one rank publishes in one step.
struct PublishedPage {
  int step;
  std::uint32_t count;  // elements
  double there;         // from when on all may read it
  std::size_t number;   // among all pages, in the order of publishing
  std::size_t at;       // its first element, where all pages lie one behind the other
};

/// All pages published so far.
class Published {
 public:
  explicit Published(int p) : p_(static_cast<std::size_t>(p)) {}

  /// REQUIRES: the rank has published nothing in this step or a later one.
  void add(int rank, int step, std::uint32_t count, double there) {
    pages_.resize(p_);  // most algorithms publish nothing
    pages_[static_cast<std::size_t>(rank)].push_back({step, count, there, number_++, elements_});
    elements_ += count;
  }
  /// nullptr if it is not published yet.
  const PublishedPage* find(int owner, int step) const {
    if (pages_.empty()) return nullptr;
    const auto& theirs = pages_[static_cast<std::size_t>(owner)];
    const auto page = std::ranges::lower_bound(theirs, step, {}, &PublishedPage::step);
    return page != theirs.end() && page->step == step ? &*page : nullptr;
  }

 private:
  const std::size_t p_;
  std::size_t number_ = 0, elements_ = 0;
  std::vector<std::vector<PublishedPage>> pages_;  // of each rank, by step
};

}  // namespace mpigraft::model
