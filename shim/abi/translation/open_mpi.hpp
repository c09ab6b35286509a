// SPDX-License-Identifier: MIT
// Open MPI's own ABI (4.1 and 5.0): the types, constants and functions of it that mpigraft uses. A handle is the
// address of an object, which does not tell its kind. Predefined objects have names, by which they are found at run
// time.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

#include "config/table/interface.hpp"
#include "shim/abi/handles.hpp"
#include "shim/abi/translation/predefined.hpp"

using MPI_Aint = std::ptrdiff_t;
using MPI_Count = long long;

enum MPI_Comm : std::uintptr_t {};
enum MPI_Group : std::uintptr_t {};
enum MPI_Info : std::uintptr_t {};
enum MPI_Errhandler : std::uintptr_t {};
enum MPI_Request : std::uintptr_t {};
enum MPI_Op : std::uintptr_t {};
enum MPI_Datatype : std::uintptr_t {};

// Each OBJECT has the kind, MPI's name and the name of the object in the library.
// clang-format off
#define OBJECT_OF_TYPE(name, content, value, object) OBJECT(MPI_Datatype, name, ompi_mpi_##object)
#define OBJECT_OF_OPERATOR(name, op, value, object) OBJECT(MPI_Op, name, ompi_mpi_op_##object)
#define MPIGRAFT_OBJECTS                                                  \
  OBJECT(MPI_Comm, MPI_COMM_NULL, ompi_mpi_comm_null)                     \
  OBJECT(MPI_Comm, MPI_COMM_WORLD, ompi_mpi_comm_world)                   \
  OBJECT(MPI_Comm, MPI_COMM_SELF, ompi_mpi_comm_self)                     \
  OBJECT(MPI_Group, MPI_GROUP_NULL, ompi_mpi_group_null)                  \
  OBJECT(MPI_Info, MPI_INFO_NULL, ompi_mpi_info_null)                     \
  OBJECT(MPI_Errhandler, MPI_ERRHANDLER_NULL, ompi_mpi_errhandler_null)   \
  OBJECT(MPI_Errhandler, MPI_ERRORS_ARE_FATAL, ompi_mpi_errors_are_fatal) \
  OBJECT(MPI_Errhandler, MPI_ERRORS_RETURN, ompi_mpi_errors_return)       \
  OBJECT(MPI_Request, MPI_REQUEST_NULL, ompi_request_null)                \
  OBJECT(MPI_Op, MPI_OP_NULL, ompi_mpi_op_null)                           \
  OBJECT(MPI_Datatype, MPI_DATATYPE_NULL, ompi_mpi_datatype_null)         \
  MPIGRAFT_PREDEFINED_TYPES(OBJECT_OF_TYPE)                               \
  MPIGRAFT_PREDEFINED_OPERATORS(OBJECT_OF_OPERATOR)
// clang-format on

// Set by find_objects().
#define OBJECT(Handle, name, object) inline Handle name{};
MPIGRAFT_OBJECTS
#undef OBJECT

struct ompi_status_public_t {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int is_cancelled;
  std::size_t bytes;
};
using MPI_Status = ompi_status_public_t;

constexpr int MPI_ANY_TAG = -1, MPI_KEYVAL_INVALID = -1, MPI_TAG_UB = 0, MPI_COMBINER_NAMED = 0, MPI_COMBINER_DUP = 1,
              MPI_COMBINER_CONTIGUOUS = 2;
constexpr int MPI_THREAD_SERIALIZED = 2, MPI_THREAD_MULTIPLE = 3;
constexpr int MPI_MAX_LIBRARY_VERSION_STRING = 256, MPI_MAX_OBJECT_NAME = 64;

#include "shim/abi/translation/declarations.inc"

namespace mpigraft::abi {

constexpr table::Interface translated = table::Interface::openmpi;

/// Finds the predefined objects. True if the library has them, except for types that some compilers lack.
inline bool find_objects(void* scope) {
#define OBJECT(Handle, name, object) \
  name = static_cast<Handle>(reinterpret_cast<std::uintptr_t>(dlsym(scope, #object)));
  MPIGRAFT_OBJECTS
#undef OBJECT
  return MPI_COMM_WORLD != 0 && MPI_DATATYPE_NULL != 0 && MPI_BYTE != 0 && MPI_MIN != 0;
}

inline bool is_object(std::uintptr_t handle, Kind kind) {
  const std::uintptr_t nulls[] = {MPI_COMM_NULL, MPI_DATATYPE_NULL, MPI_OP_NULL};
  return handle != 0 && handle != nulls[static_cast<int>(kind)];
}

}  // namespace mpigraft::abi
