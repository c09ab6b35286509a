// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "shim/abi/predefined.hpp"

namespace mpigraft::abi {

/// Pairs (x, +) of operators with a x (b + c) = (a x b) + (a x c), except for rounding and overflow.
inline constexpr std::array<std::array<Operator, 2>, 14> distributive{{{Operator::sum, Operator::max},
                                                                       {Operator::sum, Operator::min},
                                                                       {Operator::prod, Operator::sum},
                                                                       {Operator::max, Operator::min},
                                                                       {Operator::min, Operator::max},
                                                                       {Operator::max, Operator::max},
                                                                       {Operator::min, Operator::min},
                                                                       {Operator::land, Operator::lor},
                                                                       {Operator::lor, Operator::land},
                                                                       {Operator::band, Operator::bor},
                                                                       {Operator::bor, Operator::band},
                                                                       {Operator::band, Operator::bxor},
                                                                       {Operator::band, Operator::band},
                                                                       {Operator::bor, Operator::bor}}};

/// True if `times` distributes over `plus`.
constexpr bool distributes(Operator times, Operator plus) {
  for (const auto& [x, over] : distributive)
    if (x == times && over == plus) return true;
  return false;
}

}  // namespace mpigraft::abi
