// SPDX-License-Identifier: MIT
// Arguments of functions that take only integers and pointers, so that each fits in a register. TAKES_n declares n
// parameters, and GIVES_n passes them on behind another argument.
#pragma once

#include <cstdint>

namespace mpigraft::entry {

/// An argument, as wide as a register.
using Word = std::uintptr_t;

}  // namespace mpigraft::entry

#define MPIGRAFT_WORD(i) mpigraft::entry::Word a##i
#define TAKES_0 void
#define TAKES_1 MPIGRAFT_WORD(1)
#define TAKES_2 TAKES_1, MPIGRAFT_WORD(2)
#define TAKES_3 TAKES_2, MPIGRAFT_WORD(3)
#define TAKES_4 TAKES_3, MPIGRAFT_WORD(4)
#define TAKES_5 TAKES_4, MPIGRAFT_WORD(5)
#define TAKES_6 TAKES_5, MPIGRAFT_WORD(6)
#define TAKES_7 TAKES_6, MPIGRAFT_WORD(7)
#define TAKES_8 TAKES_7, MPIGRAFT_WORD(8)
#define TAKES_9 TAKES_8, MPIGRAFT_WORD(9)
#define TAKES_10 TAKES_9, MPIGRAFT_WORD(10)
#define TAKES_11 TAKES_10, MPIGRAFT_WORD(11)
#define TAKES_12 TAKES_11, MPIGRAFT_WORD(12)
#define GIVES_0
#define GIVES_1 , a1
#define GIVES_2 GIVES_1, a2
#define GIVES_3 GIVES_2, a3
#define GIVES_4 GIVES_3, a4
#define GIVES_5 GIVES_4, a5
#define GIVES_6 GIVES_5, a6
#define GIVES_7 GIVES_6, a7
#define GIVES_8 GIVES_7, a8
#define GIVES_9 GIVES_8, a9
#define GIVES_10 GIVES_9, a10
#define GIVES_11 GIVES_10, a11
#define GIVES_12 GIVES_11, a12
