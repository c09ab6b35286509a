// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "algorithms/types.hpp"
#include "shim/execute/pmpi_transport.hpp"

namespace mpigraft::execute {

using RunFunction = void (*)(PmpiTransport& net, const Operands& operands, const Params& params);

/// run_functions[i] runs algorithm i of `catalogue` over a PmpiTransport.
inline constexpr auto run_functions = std::apply(
    [](auto... entry) {
      return std::array<RunFunction, sizeof...(entry)>{&decltype(entry)::algorithm::template run<PmpiTransport>...};
    },
    catalogue);

}  // namespace mpigraft::execute
