// SPDX-License-Identifier: MIT
// The other functions of PMPI that libmpigraft.so knows and calls for its own sake. They must not be called: it would
// pass handles of the standard ABI as MPICH's own.
#include <cstdio>
#include <cstdlib>

#include "shim/abi/translation/pmpi.hpp"

#define UNWANTED(name, ...)                                           \
  extern "C" [[gnu::weak]] void unwanted_##name() asm("PMPI_" #name); \
  void unwanted_##name() {                                            \
    std::fputs("PMPI_" #name " was called\n", stderr);                \
    std::abort();                                                     \
  }
MPIGRAFT_PMPI(UNWANTED)
