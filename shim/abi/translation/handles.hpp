// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "shim/abi/handles.hpp"
#include "shim/abi/translation/interface.hpp"

namespace mpigraft::abi {

template <class Handle>
inline constexpr int null_of = 0;
template <>
inline constexpr MPI_Comm null_of<Comm> = MPI_COMM_NULL;
template <>
inline constexpr MPI_Datatype null_of<Type> = MPI_DATATYPE_NULL;
template <>
inline constexpr MPI_Op null_of<Op> = MPI_OP_NULL;
template <>
inline constexpr MPI_Request null_of<Request> = MPI_REQUEST_NULL;
template <>
inline constexpr MPI_Group null_of<Group> = MPI_GROUP_NULL;
template <>
inline constexpr MPI_Errhandler null_of<Errhandler> = MPI_ERRHANDLER_NULL;
template <>
inline constexpr int null_of<Keyval> = MPI_KEYVAL_INVALID;

/// MPI's handle of the shim's kind.
template <class Handle>
using Native = std::remove_const_t<decltype(null_of<Handle>)>;

template <class Handle>
constexpr Native<Handle> narrow(Handle handle) {
  return handle == Handle::null ? null_of<Handle> : static_cast<Native<Handle>>(handle);
}

template <class Handle>
constexpr Handle widen(Native<Handle> handle) {
  if (handle == null_of<Handle>) return Handle::null;
  if constexpr (sizeof handle == sizeof(int))
    return static_cast<Handle>(static_cast<unsigned>(handle));
  else
    return static_cast<Handle>(handle);
}

}  // namespace mpigraft::abi
