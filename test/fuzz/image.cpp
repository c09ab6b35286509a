// SPDX-License-Identifier: MIT
#include "test/fuzz/image.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace mpigraft::fuzz {
namespace {

constexpr std::int64_t guard = 64;  // bytes; also keeps element 0 aligned

std::string hex(const char* bytes, std::size_t n) {
  std::string text;
  char digits[4];
  for (std::size_t i = 0; i < n; ++i) {
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(bytes[i]));
    text += digits;
  }
  return text;
}

/// A value out of memory that is not aligned.
struct alignas(std::max_align_t) Aligned {
  Aligned(const char* from, std::size_t size) { std::memcpy(bytes, from, size); }
  char bytes[sizeof(long_double_int)];  // the widest kind
};

}  // namespace

Image::Image(const Kind& kind, const Layout& layout, std::int64_t count) : Image(kind, layout, {}, count) {}

Image::Image(const Kind& kind, const Layout& layout, std::vector<std::int64_t> places, std::int64_t span)
    : kind_(kind), offsets_(layout.offsets()), extent_(layout.extent()), places_(std::move(places)) {
  const std::int64_t last = std::max<std::int64_t>(span - 1, 0) * extent_;
  const std::int64_t before = -(std::min<std::int64_t>(last, 0) + std::min<std::int64_t>(layout.lowest(), 0));
  const std::int64_t after = std::max<std::int64_t>(last, 0) + std::max<std::int64_t>(layout.highest(), 0);
  zero_ = (before + guard) / guard * guard + guard;
  pattern_.resize(static_cast<std::size_t>(zero_ + after + guard));
  for (std::size_t i = 0; i < pattern_.size(); ++i) pattern_[i] = static_cast<char>(0xa5 ^ i % 61);
  memory_ = pattern_;
}

std::size_t Image::place(std::int64_t unit) const {
  const auto units = static_cast<std::int64_t>(offsets_.size()), element = unit / units;
  const std::int64_t at = places_.empty() ? element : places_[static_cast<std::size_t>(element)];
  return static_cast<std::size_t>(zero_ + at * extent_ + offsets_[static_cast<std::size_t>(unit % units)]);
}

void Image::overlay(std::vector<char>& memory, const Values& values) const {
  for (std::size_t at = 0, unit = 0; at < values.size(); at += kind_.size, ++unit) {
    char* const here = &memory[place(static_cast<std::int64_t>(unit))];
    Aligned aligned(here, kind_.size);
    kind_.copy(&values[at], aligned.bytes, 1);
    std::memcpy(here, aligned.bytes, kind_.size);
  }
}

void Image::write(const Values& values) { overlay(memory_, values); }

std::string Image::difference(const Values* values) const {
  std::vector<char> want = pattern_, got = memory_;
  for (std::size_t at = 0, unit = 0; values && at < values->size(); at += kind_.size, ++unit) {
    const Aligned found(&got[place(static_cast<std::int64_t>(unit))], kind_.size);
    if (!kind_.equal(&(*values)[at], found.bytes))
      return "unit " + std::to_string(unit) + " of " + std::to_string(values->size() / kind_.size) + " is " +
             hex(found.bytes, kind_.size) + " and must be " + hex(&(*values)[at], kind_.size) +
             " (bytes in memory order)";
  }
  if (values) overlay(want, *values), overlay(got, *values);  // equal values may differ in bits
  const auto [w, g] = std::ranges::mismatch(want, got);
  if (w == want.end()) return {};
  return "a byte that is no value's, " + std::to_string(w - want.begin() - zero_) + " from element 0, was " +
         hex(&*w, 1) + " and is " + hex(&*g, 1);
}

}  // namespace mpigraft::fuzz
