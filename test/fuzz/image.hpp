// SPDX-License-Identifier: MIT
// A buffer of a call, and what it must hold afterwards to the last byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "test/fuzz/layout.hpp"

namespace mpigraft::fuzz {

/// Units in the order of the type map, one after the other.
using Values = std::vector<char>;

/// `count` elements of a layout between guards; every byte that is not a value's has a pattern.
class Image {
 public:
  Image(const Kind& kind, const Layout& layout, std::int64_t count);
  /// The same, with element i where element `places[i]` of `span` consecutive ones would be.
  Image(const Kind& kind, const Layout& layout, std::vector<std::int64_t> places, std::int64_t span);

  char* element_0() { return memory_.data() + zero_; }
  void write(const Values& values);
  /// The first difference from `values`, or from the pattern between them; "" if there is none. Null: no unit was
  /// written.
  std::string difference(const Values* values) const;

 private:
  std::size_t place(std::int64_t unit) const;
  void overlay(std::vector<char>& memory, const Values& values) const;

  const Kind& kind_;
  const std::vector<std::int64_t> offsets_;
  const std::int64_t extent_;
  std::vector<std::int64_t> places_;  // of elements; none: one after the other
  std::int64_t zero_ = 0;             // of element 0 in memory
  std::vector<char> memory_, pattern_;
};

}  // namespace mpigraft::fuzz
