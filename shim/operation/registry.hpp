// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "algorithms/catalogue.hpp"
#include "algorithms/invoke.hpp"
#include "shim/operation/pmpi_transport.hpp"

namespace mpigraft {

using RunFunction = void (*)(PmpiTransport& net, const Block& input, const Block& result, const Params& params);

/// `run_functions[i]` is algorithm i of `listed`, over MPI.
inline constexpr auto run_functions = std::apply(
    [](auto... entry) {
      return std::array<RunFunction, sizeof...(entry)>{&invoke<typename decltype(entry)::algorithm, PmpiTransport>...};
    },
    catalogue);

}  // namespace mpigraft
