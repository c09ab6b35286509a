// SPDX-License-Identifier: MIT
#include "shim/abi/call_stack.hpp"

#include <unwind.h>

#include "shim/abi/library.hpp"
#include "shim/abi/objects.hpp"

namespace mpigraft::abi {
namespace {

/// The MPI library; empty while it is unknown, or if it is in one object with our code, as in unit tests.
Object mpi_library() {
  const void* const function = native_forms[0][0].narrow;
  const Object library = function ? object_at(function) : Object{};
  return library.contains(reinterpret_cast<const void*>(&called_from_mpi)) ? Object{} : library;
}

}  // namespace

bool called_from_mpi() {
  struct Walk {
    Object library;
    bool met = false;
  } walk{mpi_library()};
  if (walk.library.size == 0) return false;
  _Unwind_Backtrace(
      [](_Unwind_Context* frame, void* data) {
        auto& [library, met] = *static_cast<Walk*>(data);
        met = library.contains(reinterpret_cast<const void*>(_Unwind_GetIP(frame)));
        return met ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &walk);
  return walk.met;
}

}  // namespace mpigraft::abi
