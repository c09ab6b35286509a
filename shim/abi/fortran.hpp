// SPDX-License-Identifier: MIT
// Fortran's bindings that call PMPI and not the C functions: C's values of their arguments, and the names of a
// function.
#pragma once

#include <type_traits>

#include "shim/abi/parameters.hpp"

namespace mpigraft::abi {

constexpr const char* converter_of(Narrow::comm) { return "MPI_Comm_f2c"; }
constexpr const char* converter_of(Narrow::info) { return "MPI_Info_f2c"; }
constexpr const char* converter_of(Narrow::op) { return "MPI_Op_f2c"; }
constexpr const char* converter_of(Narrow::datatype) { return "MPI_Type_f2c"; }
constexpr const char* converter_of(Narrow::sendtype) { return "MPI_Type_f2c"; }

/// The function of this name that makes C's handle of Fortran's (MPI-4.0, 19.3.4); null if they are the same.
using ToC = Word(int handle);
ToC* converter(const char* name);

/// MPI_IN_PLACE and MPI_BOTTOM for Fortran's constants, else `buffer`.
void* c_buffer(const void* buffer);

/// A communicator that a call frees.
class FreedComm {
 public:
  explicit FreedComm(Narrow::oldcomm place);
  ~FreedComm();
  FreedComm(const FreedComm&) = delete;
  FreedComm& operator=(const FreedComm&) = delete;
  operator Narrow::oldcomm();

 private:
  Narrow::oldcomm place_;  // Fortran's handle
  Word before_ = 0, handle_ = 0;
};

/// The value for C of an argument of Fortran.
template <class Role>
Role c_value(Role argument) {
  return argument;
}
template <class Role>
requires std::is_enum_v<Role> Role c_value(const Role* argument) { return *argument; }
template <class Role>
Role c_value(const FortranHandle<Role>* argument) {
  static ToC* const convert = converter(converter_of(Role{}));
  return static_cast<Role>(convert ? convert(argument->value) : static_cast<unsigned>(argument->value));
}
inline Narrow::sendbuf c_value(Narrow::sendbuf buffer) { return static_cast<Narrow::sendbuf>(c_buffer(buffer)); }
inline Narrow::recvbuf c_value(Narrow::recvbuf buffer) { return static_cast<Narrow::recvbuf>(c_buffer(buffer)); }
inline FreedComm c_value(Narrow::oldcomm place) { return FreedComm(place); }

}  // namespace mpigraft::abi

// Makes X(name, ...) for each name of a function in Open MPI: those of mpif.h and `use mpi` in the four spellings of
// compilers, and those behind them, of which `use mpi_f08` calls one.
#define MPIGRAFT_IN_SPELLINGS(X, function, lower, upper, ...)         \
  static_assert(mpigraft::abi::is_lower_case_of(#lower, #function) && \
                mpigraft::abi::is_lower_case_of(#lower, #upper));     \
  X(ompi_##lower##_f, __VA_ARGS__)                                    \
  X(mpi_##lower##_, __VA_ARGS__)                                      \
  X(mpi_##lower, __VA_ARGS__)                                         \
  X(mpi_##lower##__, __VA_ARGS__)                                     \
  X(MPI_##upper, __VA_ARGS__)                                         \
  X(MPI_##function##_f, __VA_ARGS__)                                  \
  X(MPI_##function##_f08, __VA_ARGS__)
