// SPDX-License-Identifier: MIT
// All else that libmpigraft.so knows of PMPI: to call it would take handles of the standard ABI for MPICH's own.
#include <cstdio>
#include <cstdlib>

#include "shim/abi/pmpi.hpp"

#define X(name)                                                       \
  extern "C" [[gnu::weak]] void unwanted_##name() asm("PMPI_" #name); \
  void unwanted_##name() {                                            \
    std::fputs("PMPI_" #name " was called\n", stderr);                \
    std::abort();                                                     \
  }
MPIGRAFT_PMPI(X)
#undef X
