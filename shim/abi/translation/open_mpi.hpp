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

using MPI_Aint = std::ptrdiff_t;
using MPI_Count = long long;

enum MPI_Comm : std::uintptr_t {};
enum MPI_Group : std::uintptr_t {};
enum MPI_Info : std::uintptr_t {};
enum MPI_Errhandler : std::uintptr_t {};
enum MPI_Request : std::uintptr_t {};
enum MPI_Op : std::uintptr_t {};
enum MPI_Datatype : std::uintptr_t {};

// A row has the kind, MPI's name and the name of the object in the library.
// clang-format off
#define MPIGRAFT_OBJECTS(X) \
  X(MPI_Comm, MPI_COMM_NULL, ompi_mpi_comm_null)                             \
  X(MPI_Comm, MPI_COMM_WORLD, ompi_mpi_comm_world)                           \
  X(MPI_Comm, MPI_COMM_SELF, ompi_mpi_comm_self)                             \
  X(MPI_Group, MPI_GROUP_NULL, ompi_mpi_group_null)                          \
  X(MPI_Info, MPI_INFO_NULL, ompi_mpi_info_null)                             \
  X(MPI_Errhandler, MPI_ERRHANDLER_NULL, ompi_mpi_errhandler_null)           \
  X(MPI_Errhandler, MPI_ERRORS_ARE_FATAL, ompi_mpi_errors_are_fatal)         \
  X(MPI_Errhandler, MPI_ERRORS_RETURN, ompi_mpi_errors_return)               \
  X(MPI_Request, MPI_REQUEST_NULL, ompi_request_null)                        \
  X(MPI_Op, MPI_OP_NULL, ompi_mpi_op_null)                                   \
  X(MPI_Op, MPI_MAX, ompi_mpi_op_max)                                        \
  X(MPI_Op, MPI_MIN, ompi_mpi_op_min)                                        \
  X(MPI_Op, MPI_SUM, ompi_mpi_op_sum)                                        \
  X(MPI_Op, MPI_PROD, ompi_mpi_op_prod)                                      \
  X(MPI_Op, MPI_LAND, ompi_mpi_op_land)                                      \
  X(MPI_Op, MPI_BAND, ompi_mpi_op_band)                                      \
  X(MPI_Op, MPI_LOR, ompi_mpi_op_lor)                                        \
  X(MPI_Op, MPI_BOR, ompi_mpi_op_bor)                                        \
  X(MPI_Op, MPI_LXOR, ompi_mpi_op_lxor)                                      \
  X(MPI_Op, MPI_BXOR, ompi_mpi_op_bxor)                                      \
  X(MPI_Op, MPI_MINLOC, ompi_mpi_op_minloc)                                  \
  X(MPI_Op, MPI_MAXLOC, ompi_mpi_op_maxloc)                                  \
  X(MPI_Op, MPI_REPLACE, ompi_mpi_op_replace)                                \
  X(MPI_Op, MPI_NO_OP, ompi_mpi_op_no_op)                                    \
  X(MPI_Datatype, MPI_DATATYPE_NULL, ompi_mpi_datatype_null)                 \
  X(MPI_Datatype, MPI_CHAR, ompi_mpi_char)                                   \
  X(MPI_Datatype, MPI_CHARACTER, ompi_mpi_character)                         \
  X(MPI_Datatype, MPI_WCHAR, ompi_mpi_wchar)                                 \
  X(MPI_Datatype, MPI_PACKED, ompi_mpi_packed)                               \
  X(MPI_Datatype, MPI_LOGICAL, ompi_mpi_logical)                             \
  X(MPI_Datatype, MPI_2INT, ompi_mpi_2int)                                   \
  X(MPI_Datatype, MPI_2INTEGER, ompi_mpi_2integer)                           \
  X(MPI_Datatype, MPI_BYTE, ompi_mpi_byte)                                   \
  X(MPI_Datatype, MPI_C_BOOL, ompi_mpi_c_bool)                               \
  X(MPI_Datatype, MPI_CXX_BOOL, ompi_mpi_cxx_bool)                           \
  X(MPI_Datatype, MPI_SIGNED_CHAR, ompi_mpi_signed_char)                     \
  X(MPI_Datatype, MPI_SHORT, ompi_mpi_short)                                 \
  X(MPI_Datatype, MPI_INT, ompi_mpi_int)                                     \
  X(MPI_Datatype, MPI_LONG, ompi_mpi_long)                                   \
  X(MPI_Datatype, MPI_LONG_LONG, ompi_mpi_long_long_int)                     \
  X(MPI_Datatype, MPI_INT8_T, ompi_mpi_int8_t)                               \
  X(MPI_Datatype, MPI_INT16_T, ompi_mpi_int16_t)                             \
  X(MPI_Datatype, MPI_INT32_T, ompi_mpi_int32_t)                             \
  X(MPI_Datatype, MPI_INT64_T, ompi_mpi_int64_t)                             \
  X(MPI_Datatype, MPI_INTEGER, ompi_mpi_integer)                             \
  X(MPI_Datatype, MPI_INTEGER1, ompi_mpi_integer1)                           \
  X(MPI_Datatype, MPI_INTEGER2, ompi_mpi_integer2)                           \
  X(MPI_Datatype, MPI_INTEGER4, ompi_mpi_integer4)                           \
  X(MPI_Datatype, MPI_INTEGER8, ompi_mpi_integer8)                           \
  X(MPI_Datatype, MPI_AINT, ompi_mpi_aint)                                   \
  X(MPI_Datatype, MPI_COUNT, ompi_mpi_count)                                 \
  X(MPI_Datatype, MPI_OFFSET, ompi_mpi_offset)                               \
  X(MPI_Datatype, MPI_UNSIGNED_CHAR, ompi_mpi_unsigned_char)                 \
  X(MPI_Datatype, MPI_UNSIGNED_SHORT, ompi_mpi_unsigned_short)               \
  X(MPI_Datatype, MPI_UNSIGNED, ompi_mpi_unsigned)                           \
  X(MPI_Datatype, MPI_UNSIGNED_LONG, ompi_mpi_unsigned_long)                 \
  X(MPI_Datatype, MPI_UNSIGNED_LONG_LONG, ompi_mpi_unsigned_long_long)       \
  X(MPI_Datatype, MPI_UINT8_T, ompi_mpi_uint8_t)                             \
  X(MPI_Datatype, MPI_UINT16_T, ompi_mpi_uint16_t)                           \
  X(MPI_Datatype, MPI_UINT32_T, ompi_mpi_uint32_t)                           \
  X(MPI_Datatype, MPI_UINT64_T, ompi_mpi_uint64_t)                           \
  X(MPI_Datatype, MPI_FLOAT, ompi_mpi_float)                                 \
  X(MPI_Datatype, MPI_DOUBLE, ompi_mpi_double)                               \
  X(MPI_Datatype, MPI_LONG_DOUBLE, ompi_mpi_long_double)                     \
  X(MPI_Datatype, MPI_REAL, ompi_mpi_real)                                   \
  X(MPI_Datatype, MPI_DOUBLE_PRECISION, ompi_mpi_dblprec)                    \
  X(MPI_Datatype, MPI_REAL4, ompi_mpi_real4)                                 \
  X(MPI_Datatype, MPI_REAL8, ompi_mpi_real8)                                 \
  X(MPI_Datatype, MPI_REAL16, ompi_mpi_real16)                               \
  X(MPI_Datatype, MPI_COMPLEX, ompi_mpi_cplex)                               \
  X(MPI_Datatype, MPI_DOUBLE_COMPLEX, ompi_mpi_dblcplex)                     \
  X(MPI_Datatype, MPI_COMPLEX8, ompi_mpi_complex8)                           \
  X(MPI_Datatype, MPI_COMPLEX16, ompi_mpi_complex16)                         \
  X(MPI_Datatype, MPI_COMPLEX32, ompi_mpi_complex32)                         \
  X(MPI_Datatype, MPI_C_FLOAT_COMPLEX, ompi_mpi_c_float_complex)             \
  X(MPI_Datatype, MPI_C_DOUBLE_COMPLEX, ompi_mpi_c_double_complex)           \
  X(MPI_Datatype, MPI_C_LONG_DOUBLE_COMPLEX, ompi_mpi_c_long_double_complex) \
  X(MPI_Datatype, MPI_CXX_FLOAT_COMPLEX, ompi_mpi_cxx_cplex)                 \
  X(MPI_Datatype, MPI_CXX_DOUBLE_COMPLEX, ompi_mpi_cxx_dblcplex)             \
  X(MPI_Datatype, MPI_CXX_LONG_DOUBLE_COMPLEX, ompi_mpi_cxx_ldblcplex)       \
  X(MPI_Datatype, MPI_2REAL, ompi_mpi_2real)                                 \
  X(MPI_Datatype, MPI_2DOUBLE_PRECISION, ompi_mpi_2dblprec)                  \
  X(MPI_Datatype, MPI_FLOAT_INT, ompi_mpi_float_int)                         \
  X(MPI_Datatype, MPI_DOUBLE_INT, ompi_mpi_double_int)                       \
  X(MPI_Datatype, MPI_LONG_DOUBLE_INT, ompi_mpi_longdbl_int)
// clang-format on

// Set by find_objects().
#define X(Handle, name, object) inline Handle name{};
MPIGRAFT_OBJECTS(X)
#undef X

struct ompi_status_public_t {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int is_cancelled;
  std::size_t bytes;
};
using MPI_Status = ompi_status_public_t;

constexpr int MPI_ANY_TAG = -1, MPI_KEYVAL_INVALID = -1, MPI_TAG_UB = 0, MPI_COMBINER_NAMED = 0;
constexpr int MPI_THREAD_SERIALIZED = 2, MPI_THREAD_MULTIPLE = 3;
constexpr int MPI_MAX_LIBRARY_VERSION_STRING = 256, MPI_MAX_OBJECT_NAME = 64;

#include "shim/abi/translation/declarations.inc"

namespace mpigraft::abi {

constexpr table::Interface translated = table::Interface::openmpi;

/// Finds the predefined objects. True if the library has them, except for types that some compilers lack.
inline bool find_objects(void* scope) {
#define X(Handle, name, object) name = static_cast<Handle>(reinterpret_cast<std::uintptr_t>(dlsym(scope, #object)));
  MPIGRAFT_OBJECTS(X)
#undef X
  return MPI_COMM_WORLD != 0 && MPI_DATATYPE_NULL != 0 && MPI_BYTE != 0 && MPI_MIN != 0;
}

inline bool is_object(std::uintptr_t handle, Kind kind) {
  const std::uintptr_t nulls[] = {MPI_COMM_NULL, MPI_DATATYPE_NULL, MPI_OP_NULL};
  return handle != 0 && handle != nulls[static_cast<int>(kind)];
}

}  // namespace mpigraft::abi
