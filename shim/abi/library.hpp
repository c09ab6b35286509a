// SPDX-License-Identifier: MIT
// The MPI library underneath, found at run time. The preloaded library links no MPI, so it is inert in programs without
// MPI, and finds an MPI that a program loads by dlopen(RTLD_LOCAL).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "algorithms/collective.hpp"

namespace mpigraft::abi {

/// The PMPI functions of a collective; null where the library lacks one.
struct NativeForms {
  Signature signature = {};
  void* narrow = nullptr;
  void* large = nullptr;  // the _c form
  void* nonblocking = nullptr;
  void* large_nonblocking = nullptr;
};
/// Indexed by Collective, then by RawCall::equal. Valid from the first intercepted call on.
extern std::array<std::array<NativeForms, 2>, collective_count> native_forms;

/// Finds the MPI library at the first call: in the global scope, else through the object that contains `caller`, the
/// return address of the intercepted call. True if the translation fits its binary interface and no function
/// that it needs is missing.
bool graftable(const void* caller);

/// True if the library is not MPICH with its own ABI, so that self_check() must test what the translation relies on.
bool needs_self_check();

/// The reason why graftable() is false; empty if it is true.
const char* not_graftable_because();

/// Keeps the loaded object that contains `address` loaded. Returns its handle for dlsym; null: no object contains it.
void* keep_object_of(const void* address);

/// The next function called `name` after the one in this library: a tool's, or MPI's own; null: there is none.
void* next_function(std::string_view name, const void* caller);

/// Room for the longest text of MPI_Get_library_version in any library.
using LibraryVersion = std::array<char, 8192>;
LibraryVersion library_version();

/// Room for the name of any function of MPI.
using FunctionName = char[64];

}  // namespace mpigraft::abi
