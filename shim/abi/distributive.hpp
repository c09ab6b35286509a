// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "shim/abi/predefined.hpp"

namespace mpigraft::abi {

/// a x (b + c) = (a x b) + (a x c), but for rounding and overflow. The first is x.
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

constexpr bool distributes(Operator times, Operator plus) {
  for (const auto& [x, over] : distributive)
    if (x == times && over == plus) return true;
  return false;
}

}  // namespace mpigraft::abi
