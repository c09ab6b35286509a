// SPDX-License-Identifier: MIT
// The standard ABI (MPI-5.0, "Application Binary Interface"): the types, constants and functions of it that mpigraft
// uses. A handle is a pointer, and predefined handles are small numbers, grouped by kind. Handles are integers here,
// because C++ does not allow pointers with such values as constants.
#pragma once

#include <cstddef>
#include <cstdint>

#include "config/table/interface.hpp"
#include "shim/abi/handles.hpp"

using MPI_Aint = std::intptr_t;
using MPI_Count = std::int64_t;

enum MPI_Op : std::uintptr_t {
  MPI_OP_NULL = 0x20,
  MPI_SUM,
  MPI_MIN,
  MPI_MAX,
  MPI_PROD,
  MPI_BAND = 0x28,
  MPI_BOR,
  MPI_BXOR,
  MPI_LAND = 0x30,
  MPI_LOR,
  MPI_LXOR,
  MPI_MINLOC = 0x38,
  MPI_MAXLOC,
  MPI_REPLACE = 0x3c,
  MPI_NO_OP
};

enum MPI_Comm : std::uintptr_t { MPI_COMM_NULL = 0x100, MPI_COMM_WORLD, MPI_COMM_SELF };
enum MPI_Group : std::uintptr_t { MPI_GROUP_NULL = 0x108 };
enum MPI_Info : std::uintptr_t { MPI_INFO_NULL = 0x130 };
enum MPI_Errhandler : std::uintptr_t { MPI_ERRHANDLER_NULL = 0x140, MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN = 0x143 };
enum MPI_Request : std::uintptr_t { MPI_REQUEST_NULL = 0x180 };

enum MPI_Datatype : std::uintptr_t {
  MPI_DATATYPE_NULL = 0x200,
  MPI_AINT,
  MPI_COUNT,
  MPI_OFFSET,
  MPI_PACKED = 0x207,
  MPI_SHORT,
  MPI_INT,
  MPI_LONG,
  MPI_LONG_LONG,
  MPI_UNSIGNED_SHORT,
  MPI_UNSIGNED,
  MPI_UNSIGNED_LONG,
  MPI_UNSIGNED_LONG_LONG,
  MPI_FLOAT,
  MPI_C_FLOAT_COMPLEX = 0x212,
  MPI_CXX_FLOAT_COMPLEX,
  MPI_DOUBLE,
  MPI_C_DOUBLE_COMPLEX = 0x216,
  MPI_CXX_DOUBLE_COMPLEX,
  MPI_LOGICAL,
  MPI_INTEGER,
  MPI_REAL,
  MPI_COMPLEX,
  MPI_DOUBLE_PRECISION,
  MPI_DOUBLE_COMPLEX,
  MPI_CHARACTER,
  MPI_LONG_DOUBLE = 0x220,
  MPI_C_LONG_DOUBLE_COMPLEX = 0x224,
  MPI_CXX_LONG_DOUBLE_COMPLEX,
  MPI_FLOAT_INT = 0x228,
  MPI_DOUBLE_INT,
  MPI_LONG_INT,
  MPI_2INT,
  MPI_SHORT_INT,
  MPI_LONG_DOUBLE_INT,
  MPI_2REAL = 0x230,
  MPI_2DOUBLE_PRECISION,
  MPI_2INTEGER,
  MPI_C_BOOL = 0x238,
  MPI_CXX_BOOL,
  MPI_WCHAR = 0x23c,
  MPI_INT8_T = 0x240,
  MPI_UINT8_T,
  MPI_CHAR = 0x243,
  MPI_SIGNED_CHAR,
  MPI_UNSIGNED_CHAR,
  MPI_BYTE = 0x247,
  MPI_INT16_T,
  MPI_UINT16_T,
  MPI_INT32_T = 0x250,
  MPI_UINT32_T,
  MPI_INT64_T = 0x258,
  MPI_UINT64_T,
  MPI_INTEGER1 = 0x2c1,
  MPI_INTEGER2 = 0x2c9,
  MPI_INTEGER4 = 0x2d1,
  MPI_REAL4,
  MPI_INTEGER8 = 0x2d9,
  MPI_REAL8,
  MPI_COMPLEX8,
  MPI_REAL16 = 0x2e2,
  MPI_COMPLEX16,
  MPI_COMPLEX32 = 0x2eb
};

struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int of_library[5];
};

constexpr int MPI_ANY_TAG = -2, MPI_KEYVAL_INVALID = 0, MPI_TAG_UB = 501, MPI_COMBINER_NAMED = 101;
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
