// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft {

/// Runs algorithm A: a bcast has one buffer (`input`), the others an input and a result.
template <class A, Transport T>
void invoke(T& net, const Block& input, const Block& result, const Params& params) {
  if constexpr (A::info.collective == Collective::bcast)
    A::run(net, input, params);
  else
    A::run(net, input, result, params);
}

}  // namespace mpigraft
