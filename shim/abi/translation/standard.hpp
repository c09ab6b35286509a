// SPDX-License-Identifier: MIT
// The standard ABI (MPI-5.0, "Application Binary Interface"): the types, constants and functions of it that mpigraft
// uses. A handle is a pointer, and predefined handles are small numbers, grouped by kind. Handles are integers here,
// because C++ does not allow pointers with such values as constants.
#pragma once

#include <cstddef>
#include <cstdint>

#include "config/table/interface.hpp"
#include "shim/abi/handles.hpp"
#include "shim/abi/translation/predefined.hpp"

using MPI_Aint = std::intptr_t;
using MPI_Count = std::int64_t;

#define X(name, op, value, object) name = value,
enum MPI_Op : std::uintptr_t { MPI_OP_NULL = 0x20, MPIGRAFT_PREDEFINED_OPERATORS(X) };
enum MPI_Datatype : std::uintptr_t { MPI_DATATYPE_NULL = 0x200, MPIGRAFT_PREDEFINED_TYPES(X) };
#undef X

enum MPI_Comm : std::uintptr_t { MPI_COMM_NULL = 0x100, MPI_COMM_WORLD, MPI_COMM_SELF };
enum MPI_Group : std::uintptr_t { MPI_GROUP_NULL = 0x108 };
enum MPI_Info : std::uintptr_t { MPI_INFO_NULL = 0x130 };
enum MPI_Errhandler : std::uintptr_t { MPI_ERRHANDLER_NULL = 0x140, MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN = 0x143 };
enum MPI_Request : std::uintptr_t { MPI_REQUEST_NULL = 0x180 };

struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int of_library[5];
};

constexpr int MPI_ANY_TAG = -2, MPI_KEYVAL_INVALID = 0, MPI_TAG_UB = 501, MPI_COMBINER_NAMED = 101,
              MPI_COMBINER_DUP = 102, MPI_COMBINER_CONTIGUOUS = 103;
constexpr int MPI_THREAD_SERIALIZED = 2048, MPI_THREAD_MULTIPLE = 4096;
constexpr int MPI_MAX_LIBRARY_VERSION_STRING = 8192, MPI_MAX_OBJECT_NAME = 128;

#include "shim/abi/translation/declarations.inc"

namespace mpigraft::abi {

constexpr table::Interface translated = table::Interface::standard;

inline bool find_objects(void*) { return true; }

/// The null handle of a kind is the first of its group.
constexpr bool is_object(std::uintptr_t handle, Kind kind) {
  struct Group {
    std::uintptr_t null, end;
  };
  const Group group = kind == Kind::communicator ? Group{MPI_COMM_NULL, 0x108}
                      : kind == Kind::type       ? Group{MPI_DATATYPE_NULL, 0x300}
                                                 : Group{MPI_OP_NULL, 0x40};
  constexpr std::uintptr_t first_address = 4096;
  return handle >= first_address || (handle > group.null && handle < group.end);
}

}  // namespace mpigraft::abi
