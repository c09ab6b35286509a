// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "algorithms/collective.hpp"

namespace mpigraft::abi {

/// An intercepted call as it arrived. Its handles are what was in the registers: nothing is made of them before the
/// library is known (abi::passed).
struct RawCall {
  Collective collective;
  bool large;        // the _c form
  const void* send;  // null where the signature has one buffer
  void* recv;        // or the one buffer
  std::int64_t count;
  std::uintptr_t type;
  std::uintptr_t op;  // 0 where nothing is combined
  int root;           // 0 where there is none
  std::uintptr_t comm;
};

/// The same call to PMPI, untouched.
int forward(const RawCall& call);

}  // namespace mpigraft::abi
