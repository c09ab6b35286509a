// SPDX-License-Identifier: MIT
// The MPI library underneath, found at run time: the preloaded library links no MPI, so it is inert in programs without
// one and can follow MPI into a dlopen(RTLD_LOCAL) scope.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "algorithms/collective.hpp"

namespace mpigraft::abi {

/// The PMPI functions of a collective.
struct NativeForms {
  Signature signature = {};
  void* narrow = nullptr;
  void* large = nullptr;  // the _c form
  void* nonblocking = nullptr;
  void* large_nonblocking = nullptr;
};
/// By Collective; those of the function with parts of one length are the second, where there is one. Valid from the
/// first intercepted call on.
extern std::array<std::array<NativeForms, 2>, collective_count> native_forms;

/// Finds the MPI library, once: in the global scope, else behind `caller`, the address of the intercepted call. True
/// where there is a translation for its binary interface, and every function that is needed.
bool graftable(const void* caller);

/// Whether the library's binary interface is nothing but a promise: all but MPICH's own, of MPICH.
bool needs_self_check();

/// Why `graftable()` is false.
const char* not_graftable_because();

/// Keeps the object that holds `address`, and gives a scope of it and what it needs; null where there is none.
void* keep_object_of(const void* address);

/// The function of this name that follows the one in this library: a tool's, or MPI's own; null where there is none.
void* next_function(std::string_view name, const void* caller);

/// As long as any library's description of itself may be.
using LibraryVersion = std::array<char, 8192>;
LibraryVersion library_version();

/// Long enough for any function's name.
using FunctionName = char[64];

}  // namespace mpigraft::abi
