// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace mpigraft::table {

/// FNV-1a, for texts that are compared between ranks or hosts.
constexpr std::uint64_t digest(const char* bytes, std::size_t n, std::uint64_t h = 0xcbf29ce484222325ULL) {
  for (std::size_t i = 0; i < n; ++i) h = (h ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3ULL;
  return h;
}

}  // namespace mpigraft::table
