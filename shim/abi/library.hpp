// SPDX-License-Identifier: MIT
// The MPI library underneath, found at run time. The preloaded library links no MPI, so it is inert in programs without
// MPI, and finds an MPI that a program loads by dlopen(RTLD_LOCAL).
#pragma once

#include <array>

#include "algorithms/collective.hpp"
#include "config/table/interface.hpp"
#include "shim/abi/objects.hpp"

namespace mpigraft::abi {

/// The PMPI functions of a collective; null where the library lacks one.
struct NativeForms {
  void* narrow = nullptr;
  void* large = nullptr;  // the _c form
  void* nonblocking = nullptr;
  void* large_nonblocking = nullptr;
};
/// Indexed by Collective, then by RawCall::equal. Valid once a library is grafted.
inline std::array<std::array<NativeForms, 2>, collective_count> native_forms;

/// The function by which an MPI library is found, and told from others.
inline constexpr const char* known_function = "PMPI_Initialized";

/// True if `known` is that function of the MPI library that is grafted: the first one found whose binary interface the
/// translation fits and which lacks no function that mpigraft needs.
bool is_grafted(const void* known);

/// True if the object is that library. It is never unloaded.
bool is_in_grafted(const Object& object);

/// True if the library is not MPICH with its own ABI, so that self_check() must test what the translation relies on.
bool needs_self_check();

/// Checks what the translation relies on, by a handful of calls on MPI_COMM_SELF. Returns a text that says what failed;
/// empty if nothing failed or needs_self_check() is false. Only the first call checks. REQUIRES: graftable(), and MPI
/// is between MPI_Init and MPI_Finalize.
const char* self_check();

/// The reason why is_grafted(known) is false; empty if there is none.
struct Reason {
  char text[192] = "";  // no std::string, because finding MPI must not need memory
};
Reason not_graftable_because(const void* known);

/// Room for the longest text of MPI_Get_library_version in any library.
using LibraryVersion = std::array<char, 8192>;
/// That text of the library that is grafted; empty if none is.
const char* library_version();

/// True if this thread is inside a function of the MPI library, which has called back: in MPI_Finalize, a copy or
/// delete function of an attribute, an error handler, an operator, or a function of a generalized request. There MPI
/// may hold locks, so that some calls would wait for themselves. Takes some microseconds. False while MPI is unknown.
bool called_from_mpi();

/// The names of functions that the library lacks: one that mpigraft needs, and one that MPI-4 added; null: none is
/// missing.
struct Missing {
  const char *needed = nullptr, *of_mpi_4 = nullptr;
};

/// The function `name` in `scope`, a handle for dlsym. If there is none, returns null and sets `missing` to the name.
void* find_in(void* scope, const char* name, const char*& missing);

/// Finds in `scope` the PMPI functions that mpigraft calls for its own sake, and MPI's predefined
/// objects.
void find_functions(void* scope, Missing& missing);

/// The interface of the translation in this library: MPICH's, which Intel MPI, Cray MPICH, MVAPICH and ParaStation MPI
/// share, MPI-5's standard one, or Open MPI's.
extern const table::Interface translated_interface;

}  // namespace mpigraft::abi
