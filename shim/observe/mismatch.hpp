// SPDX-License-Identifier: MIT
// The message of MPIGRAFT_VERIFY about a wrong result.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shim/observe/difference.hpp"
#include "shim/operation/decision.hpp"

namespace mpigraft::observe {

/// An element, or the first bytes of what is left of a vector. Sent as bytes.
struct Sample {
  std::array<char, 32> bytes{};
  std::int32_t size = 0;  // 0: this rank has none
};

/// The bytes at packed byte `first`, where there are any: an element, where it is small enough.
Sample sample(const std::vector<char>& packed, std::int64_t first, const Kind& kind);

/// The first byte from `from` on that differs, or its element, where that is small enough for a sample.
std::int64_t first_difference(const std::vector<char>& a, const std::vector<char>& b, std::int64_t from,
                              const Kind& kind);

struct Mismatch {
  Kind kind;
  Deviation found;
  std::int64_t first;     // packed byte of the rank's result
  std::int64_t elements;  // that were compared
  Sample grafted, native;
  const std::vector<Sample>& inputs;  // of every rank
};

/// Says, once in a process, all that reproduces the call. Silent where memory is short.
void tell_mismatch(const agree::Agreement& agreed, const operation::Traffic& traffic, const abi::Call& call,
                   const operation::Decision& decision, const Mismatch& mismatch);

}  // namespace mpigraft::observe
