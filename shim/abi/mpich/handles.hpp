// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

template <class Handle>
inline constexpr int null_of = 0;
template <>
inline constexpr int null_of<Comm> = MPI_COMM_NULL;
template <>
inline constexpr int null_of<Type> = MPI_DATATYPE_NULL;
template <>
inline constexpr int null_of<Op> = MPI_OP_NULL;
template <>
inline constexpr int null_of<Request> = MPI_REQUEST_NULL;
template <>
inline constexpr int null_of<Group> = MPI_GROUP_NULL;
template <>
inline constexpr int null_of<Errhandler> = MPI_ERRHANDLER_NULL;
template <>
inline constexpr int null_of<Keyval> = MPI_KEYVAL_INVALID;

/// MPICH's handle.
template <class Handle>
constexpr int narrow(Handle handle) {
  return handle == Handle::null ? null_of<Handle> : static_cast<int>(handle);
}

template <class Handle>
constexpr Handle widen(int handle) {
  return handle == null_of<Handle> ? Handle::null : static_cast<Handle>(static_cast<unsigned>(handle));
}

/// MPICH encodes in two bits of a handle whether the object is built in, and in four its kind.
enum class Kind { communicator = 1, type = 3, op = 6 };
constexpr bool is_builtin(int handle) { return static_cast<unsigned>(handle) >> 30 == 1; }
constexpr bool is_object(int handle, Kind kind) {
  const auto bits = static_cast<unsigned>(handle);
  return (bits >> 26 & 0xf) == static_cast<unsigned>(kind) && bits >> 30 != 0;
}

}  // namespace mpigraft::abi
