// SPDX-License-Identifier: MIT
// The message of MPIGRAFT_VERIFY about a wrong result.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shim/execute/decision.hpp"
#include "shim/observe/difference.hpp"

namespace mpigraft::observe {

/// An element, or some bytes of a vector. Ranks send it as bytes.
struct Sample {
  std::array<char, 32> bytes{};
  std::int32_t size = 0;  // bytes; 0: this rank has none
};

/// The sample from packed byte `first` on: an element if it fits in a sample, else as many bytes as fit.
Sample sample(const std::vector<char>& packed, std::int64_t first, const Kind& kind);

/// The first byte from `from` on that differs. `from` itself if it begins an element that fits in a sample.
std::int64_t first_difference(const std::vector<char>& a, const std::vector<char>& b, std::int64_t from,
                              const Kind& kind);

struct Mismatch {
  Kind kind;
  Deviation found;
  std::int64_t first;     // first packed byte of this rank's result that differs
  std::int64_t elements;  // number of elements that were compared
  Sample grafted, native;
  const std::vector<Sample>& inputs;  // by rank
};

/// Writes, once in a process, everything that reproduces the call. Writes nothing without memory.
void tell_mismatch(const agree::Negotiated& agreed, const execute::TransportState& transport, const abi::Call& call,
                   const execute::Decision& decision, const Mismatch& mismatch);

}  // namespace mpigraft::observe
