// SPDX-License-Identifier: MIT
// THE tables of MPI's predefined types and operators. A row has MPI's name, the content of an element or the operator
// (shim/abi/predefined.hpp), the handle in the standard ABI, and the name of Open MPI's object, which begins with
// ompi_mpi_ or ompi_mpi_op_. Types of other content are left to MPI, as MPI_CHAR, on which it defines no operator
// (MPI-4.0, 6.9.3), and MPI_LOGICAL, whose values the Fortran compiler chooses.
#pragma once

// clang-format off
#define MPIGRAFT_PREDEFINED_TYPES(X)                                     \
  X(MPI_CHAR, other, 0x243, char)                                        \
  X(MPI_CHARACTER, other, 0x21e, character)                              \
  X(MPI_WCHAR, other, 0x23c, wchar)                                      \
  X(MPI_PACKED, other, 0x207, packed)                                    \
  X(MPI_LOGICAL, other, 0x218, logical)                                  \
  X(MPI_2INT, other, 0x22b, 2int)                                        \
  X(MPI_2INTEGER, other, 0x232, 2integer)                                \
  X(MPI_BYTE, bytes, 0x247, byte)                                        \
  X(MPI_C_BOOL, boolean, 0x238, c_bool)                                  \
  X(MPI_CXX_BOOL, boolean, 0x239, cxx_bool)                              \
  X(MPI_SIGNED_CHAR, signed_integer, 0x244, signed_char)                 \
  X(MPI_SHORT, signed_integer, 0x208, short)                             \
  X(MPI_INT, signed_integer, 0x209, int)                                 \
  X(MPI_LONG, signed_integer, 0x20a, long)                               \
  X(MPI_LONG_LONG, signed_integer, 0x20b, long_long_int)                 \
  X(MPI_INT8_T, signed_integer, 0x240, int8_t)                           \
  X(MPI_INT16_T, signed_integer, 0x248, int16_t)                         \
  X(MPI_INT32_T, signed_integer, 0x250, int32_t)                         \
  X(MPI_INT64_T, signed_integer, 0x258, int64_t)                         \
  X(MPI_INTEGER, signed_integer, 0x219, integer)                         \
  X(MPI_INTEGER1, signed_integer, 0x2c1, integer1)                       \
  X(MPI_INTEGER2, signed_integer, 0x2c9, integer2)                       \
  X(MPI_INTEGER4, signed_integer, 0x2d1, integer4)                       \
  X(MPI_INTEGER8, signed_integer, 0x2d9, integer8)                       \
  X(MPI_AINT, signed_integer, 0x201, aint)                               \
  X(MPI_COUNT, signed_integer, 0x202, count)                             \
  X(MPI_OFFSET, signed_integer, 0x203, offset)                           \
  X(MPI_UNSIGNED_CHAR, unsigned_integer, 0x245, unsigned_char)           \
  X(MPI_UNSIGNED_SHORT, unsigned_integer, 0x20c, unsigned_short)         \
  X(MPI_UNSIGNED, unsigned_integer, 0x20d, unsigned)                     \
  X(MPI_UNSIGNED_LONG, unsigned_integer, 0x20e, unsigned_long)           \
  X(MPI_UNSIGNED_LONG_LONG, unsigned_integer, 0x20f, unsigned_long_long) \
  X(MPI_UINT8_T, unsigned_integer, 0x241, uint8_t)                       \
  X(MPI_UINT16_T, unsigned_integer, 0x249, uint16_t)                     \
  X(MPI_UINT32_T, unsigned_integer, 0x251, uint32_t)                     \
  X(MPI_UINT64_T, unsigned_integer, 0x259, uint64_t)                     \
  X(MPI_FLOAT, floating, 0x210, float)                                   \
  X(MPI_DOUBLE, floating, 0x214, double)                                 \
  X(MPI_LONG_DOUBLE, floating, 0x220, long_double)                       \
  X(MPI_REAL, floating, 0x21a, real)                                     \
  X(MPI_DOUBLE_PRECISION, floating, 0x21c, dblprec)                      \
  X(MPI_REAL4, floating, 0x2d2, real4)                                   \
  X(MPI_REAL8, floating, 0x2da, real8)                                   \
  X(MPI_REAL16, floating, 0x2e2, real16)                                 \
  X(MPI_COMPLEX, complex, 0x21b, cplex)                                  \
  X(MPI_DOUBLE_COMPLEX, complex, 0x21d, dblcplex)                        \
  X(MPI_COMPLEX8, complex, 0x2db, complex8)                              \
  X(MPI_COMPLEX16, complex, 0x2e3, complex16)                            \
  X(MPI_COMPLEX32, complex, 0x2eb, complex32)                            \
  X(MPI_C_FLOAT_COMPLEX, complex, 0x212, c_float_complex)                \
  X(MPI_C_DOUBLE_COMPLEX, complex, 0x216, c_double_complex)              \
  X(MPI_C_LONG_DOUBLE_COMPLEX, complex, 0x224, c_long_double_complex)    \
  X(MPI_CXX_FLOAT_COMPLEX, complex, 0x213, cxx_cplex)                    \
  X(MPI_CXX_DOUBLE_COMPLEX, complex, 0x217, cxx_dblcplex)                \
  X(MPI_CXX_LONG_DOUBLE_COMPLEX, complex, 0x225, cxx_ldblcplex)          \
  X(MPI_2REAL, two_floating, 0x230, 2real)                               \
  X(MPI_2DOUBLE_PRECISION, two_floating, 0x231, 2dblprec)                \
  X(MPI_FLOAT_INT, floating_and_index, 0x228, float_int)                 \
  X(MPI_DOUBLE_INT, floating_and_index, 0x229, double_int)               \
  X(MPI_LONG_DOUBLE_INT, floating_and_index, 0x22d, longdbl_int)

// The operators that have a name in the shim.
#define MPIGRAFT_NAMED_OPERATORS(X)      \
  X(MPI_MAX, max, 0x23, max)             \
  X(MPI_MIN, min, 0x22, min)             \
  X(MPI_SUM, sum, 0x21, sum)             \
  X(MPI_PROD, prod, 0x24, prod)          \
  X(MPI_LAND, land, 0x30, land)          \
  X(MPI_BAND, band, 0x28, band)          \
  X(MPI_LOR, lor, 0x31, lor)             \
  X(MPI_BOR, bor, 0x29, bor)             \
  X(MPI_LXOR, lxor, 0x32, lxor)          \
  X(MPI_BXOR, bxor, 0x2a, bxor)          \
  X(MPI_MINLOC, minloc, 0x38, minloc)    \
  X(MPI_MAXLOC, maxloc, 0x39, maxloc)

#define MPIGRAFT_PREDEFINED_OPERATORS(X) \
  MPIGRAFT_NAMED_OPERATORS(X)            \
  X(MPI_REPLACE, other, 0x3c, replace)   \
  X(MPI_NO_OP, other, 0x3d, no_op)
// clang-format on
