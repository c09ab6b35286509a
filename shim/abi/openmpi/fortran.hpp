// SPDX-License-Identifier: MIT
// Fortran under Open MPI, whose Fortran bindings call PMPI and not the C functions: handles, and the names of a
// function. They are those of mpif.h and `use mpi` in the four spellings of compilers, and those behind them, of which
// `use mpi_f08` calls one.
#pragma once

#include <cstdint>

#include "shim/abi/binding.hpp"
#include "shim/abi/spellings.hpp"

namespace mpigraft::abi {

/// Converts a Fortran handle by MPI's function (MPI-4.0, 19.3.4).
template <char kind>
inline std::uintptr_t c_handle(const int* handle) {
  constexpr const char* name = kind == 'c' ? "MPI_Comm_f2c" : kind == 't' ? "MPI_Type_f2c" : "MPI_Op_f2c";
  static constinit Function function;
  static void* const convert = function.bound(name, nullptr).function;
  return reinterpret_cast<std::uintptr_t (*)(int)>(convert)(*handle);
}

}  // namespace mpigraft::abi

// Makes X(name, ...) for each name of a function.
#define MPIGRAFT_IN_SPELLINGS(X, function, ...) \
  MPIGRAFT_SPELLED(X, function, LOWER_##function, UPPER_##function, __VA_ARGS__)
// One more step, so that spellings are expanded before they are joined to other names.
#define MPIGRAFT_SPELLED(X, function, lower, upper, ...) MPIGRAFT_NAMED(X, function, lower, upper, __VA_ARGS__)
#define MPIGRAFT_NAMED(X, function, lower, upper, ...)                                            \
  static_assert(mpigraft::abi::is_lower_case_of(#lower, #function), "its spellings are missing"); \
  X(ompi_##lower##_f, __VA_ARGS__)                                                                \
  X(mpi_##lower##_, __VA_ARGS__)                                                                  \
  X(mpi_##lower, __VA_ARGS__)                                                                     \
  X(mpi_##lower##__, __VA_ARGS__)                                                                 \
  X(MPI_##upper, __VA_ARGS__)                                                                     \
  X(MPI_##function##_f, __VA_ARGS__)                                                              \
  X(MPI_##function##_f08, __VA_ARGS__)
