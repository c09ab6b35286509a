// SPDX-License-Identifier: MIT
// Functions of PMPI that must not be called: libmpigraft.so would pass handles of the standard ABI as MPICH's own.
#ifndef UNWANTED_H
#define UNWANTED_H

#include <cstdio>
#include <cstdlib>

#define UNWANTED(name, ...)                                           \
  extern "C" [[gnu::weak]] void unwanted_##name() asm("PMPI_" #name); \
  void unwanted_##name() {                                            \
    std::fputs("PMPI_" #name " was called\n", stderr);                \
    std::abort();                                                     \
  }

#endif
