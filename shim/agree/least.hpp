// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::agree {

/// The minimum over all ranks of each of a few votes. Collective.
template <std::size_t n>
std::array<int, n> least(const std::array<int, n>& mine, abi::Comm comm) {
  std::array<int, n> all{};
  abi::allreduce(mine.data(), all.data(), static_cast<int>(n), abi::type_int, abi::op_min, comm);
  return all;
}

}  // namespace mpigraft::agree
