// SPDX-License-Identifier: MIT
// Random numbers that are a pure function of their keys: equal on all ranks and all machines.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace mpigraft::fuzz {

/// splitmix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit Random(std::initializer_list<std::uint64_t> keys) {
    for (const std::uint64_t key : keys) state_ = mixed_bits(state_ ^ key);
  }
  std::uint64_t next() { return mixed_bits(state_++); }
  /// In [0, n).
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n)); }
  /// In [first, last].
  std::int64_t between(std::int64_t first, std::int64_t last) { return first + below(last - first + 1); }
  bool percent(int chance) { return below(100) < chance; }
  template <class List>
  const auto& pick(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<std::int64_t>(std::size(list))))];
  }
  template <class List>
  void shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
  }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace mpigraft::fuzz
