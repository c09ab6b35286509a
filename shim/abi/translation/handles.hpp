// SPDX-License-Identifier: MIT
// The binary interface that the translation is compiled for, and the shim's handles in it. The other files of this
// folder use MPI's own names, so that they can be compiled for each interface.
#pragma once

#include "shim/abi/handles.hpp"
#if defined MPIGRAFT_STANDARD_ABI
#include "shim/abi/translation/standard.hpp"
#elif defined MPIGRAFT_OPEN_MPI
#include "shim/abi/translation/open_mpi.hpp"
#else
#include "shim/abi/translation/mpich.hpp"
#endif

namespace mpigraft::abi {

// MPI's null handle of each kind. Open MPI's are known only once the library is found.
inline auto null_of(Comm) { return MPI_COMM_NULL; }
inline auto null_of(Type) { return MPI_DATATYPE_NULL; }
inline auto null_of(Op) { return MPI_OP_NULL; }
inline auto null_of(Request) { return MPI_REQUEST_NULL; }
inline auto null_of(Keyval) { return MPI_KEYVAL_INVALID; }

/// MPI's type of handle for a type of the shim.
template <class Handle>
using Native = decltype(null_of(Handle{}));

template <class Handle>
Native<Handle> narrow(Handle handle) {
  return handle == Handle::null ? null_of(handle) : static_cast<Native<Handle>>(handle);
}

template <class Handle>
Handle widen(Native<Handle> handle) {
  if (handle == null_of(Handle{})) return Handle::null;
  if constexpr (sizeof handle == sizeof(int))
    return static_cast<Handle>(static_cast<unsigned>(handle));
  else
    return static_cast<Handle>(handle);
}

// To Open MPI key 0 is MPI_TAG_UB, not null, so keys are shifted until MPI_KEYVAL_INVALID is 0.
inline int narrow(Keyval key) { return static_cast<int>(key) ^ MPI_KEYVAL_INVALID; }
template <>
inline Keyval widen<Keyval>(int key) {
  return static_cast<Keyval>(static_cast<unsigned>(key ^ MPI_KEYVAL_INVALID));
}

/// Sets the handles of shim/abi/handles.hpp. REQUIRES: find_objects() has found the library's objects.
void set_handles();

}  // namespace mpigraft::abi
