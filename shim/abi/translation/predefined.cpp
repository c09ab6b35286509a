// SPDX-License-Identifier: MIT
#include "shim/abi/predefined.hpp"

#include <algorithm>
#include <array>

#include "shim/abi/functions.hpp"
#include "shim/abi/translation/handles.hpp"

namespace mpigraft::abi {
namespace {

struct Row {
  MPI_Datatype handle = MPI_DATATYPE_NULL;
  Content content = Content::other;
  bool extended = false;
};

// MPI defines MPI_CHAR for no operator, and MPI_LOGICAL is Fortran's affair.
constexpr Row built_in[] = {{MPI_CHAR},
                            {MPI_CHARACTER},
                            {MPI_WCHAR},
                            {MPI_PACKED},
                            {MPI_LOGICAL},
                            {MPI_2INT},
                            {MPI_2INTEGER},
                            {MPI_BYTE, Content::bytes},
                            {MPI_C_BOOL, Content::boolean},
                            {MPI_CXX_BOOL, Content::boolean},
                            {MPI_SIGNED_CHAR, Content::signed_integer},
                            {MPI_SHORT, Content::signed_integer},
                            {MPI_INT, Content::signed_integer},
                            {MPI_LONG, Content::signed_integer},
                            {MPI_LONG_LONG, Content::signed_integer},
                            {MPI_INT8_T, Content::signed_integer},
                            {MPI_INT16_T, Content::signed_integer},
                            {MPI_INT32_T, Content::signed_integer},
                            {MPI_INT64_T, Content::signed_integer},
                            {MPI_INTEGER, Content::signed_integer},
                            {MPI_INTEGER1, Content::signed_integer},
                            {MPI_INTEGER2, Content::signed_integer},
                            {MPI_INTEGER4, Content::signed_integer},
                            {MPI_INTEGER8, Content::signed_integer},
                            {MPI_AINT, Content::signed_integer},
                            {MPI_COUNT, Content::signed_integer},
                            {MPI_OFFSET, Content::signed_integer},
                            {MPI_UNSIGNED_CHAR, Content::unsigned_integer},
                            {MPI_UNSIGNED_SHORT, Content::unsigned_integer},
                            {MPI_UNSIGNED, Content::unsigned_integer},
                            {MPI_UNSIGNED_LONG, Content::unsigned_integer},
                            {MPI_UNSIGNED_LONG_LONG, Content::unsigned_integer},
                            {MPI_UINT8_T, Content::unsigned_integer},
                            {MPI_UINT16_T, Content::unsigned_integer},
                            {MPI_UINT32_T, Content::unsigned_integer},
                            {MPI_UINT64_T, Content::unsigned_integer},
                            {MPI_FLOAT, Content::floating},
                            {MPI_DOUBLE, Content::floating},
                            {MPI_LONG_DOUBLE, Content::floating, true},
                            {MPI_REAL, Content::floating},
                            {MPI_DOUBLE_PRECISION, Content::floating},
                            {MPI_REAL4, Content::floating},
                            {MPI_REAL8, Content::floating},
                            {MPI_REAL16, Content::floating},
                            {MPI_COMPLEX, Content::complex},
                            {MPI_DOUBLE_COMPLEX, Content::complex},
                            {MPI_COMPLEX8, Content::complex},
                            {MPI_COMPLEX16, Content::complex},
                            {MPI_COMPLEX32, Content::complex},
                            {MPI_C_FLOAT_COMPLEX, Content::complex},
                            {MPI_C_DOUBLE_COMPLEX, Content::complex},
                            {MPI_C_LONG_DOUBLE_COMPLEX, Content::complex, true},
                            {MPI_CXX_FLOAT_COMPLEX, Content::complex},
                            {MPI_CXX_DOUBLE_COMPLEX, Content::complex},
                            {MPI_CXX_LONG_DOUBLE_COMPLEX, Content::complex, true},
                            {MPI_2REAL, Content::two_floating},
                            {MPI_2DOUBLE_PRECISION, Content::two_floating}};

constexpr Row derived[] = {{MPI_FLOAT_INT, Content::floating_and_index},
                           {MPI_DOUBLE_INT, Content::floating_and_index},
                           {MPI_LONG_DOUBLE_INT, Content::floating_and_index, true}};

static_assert(bytes_of(MPI_LONG) == sizeof(long) && bytes_of(MPI_SHORT) == sizeof(short));
static_assert(bytes_of(MPI_DOUBLE) == sizeof(double) && bytes_of(MPI_FLOAT) == sizeof(float));

constexpr auto by_number = [] {
  std::array<Row, 256> rows{};
  for (const Row& row : built_in) {
    Row& place = rows[number_of(row.handle)];
    if (row.handle != MPI_DATATYPE_NULL && place.handle != MPI_DATATYPE_NULL) throw "two types of one number";
    if (row.handle != MPI_DATATYPE_NULL) place = row;
  }
  return rows;
}();
static_assert(by_number[0].handle == MPI_DATATYPE_NULL);

}  // namespace

TypeFacts facts_of(Type type) {
  const MPI_Datatype handle = narrow(type);
  const Row& row = by_number[number_of(handle)];
  if (row.handle == handle && handle != MPI_DATATYPE_NULL) {
    const int known = bytes_of(handle);
    const bool asks = known == 0 && row.content != Content::other;
    return {.content = row.content,
            .extended = row.extended,
            .number = number_of(handle),
            .bytes = asks ? static_cast<int>(type_size(type)) : known};
  }
  for (const Row& pair : derived)
    if (pair.handle == handle) return {.content = pair.content, .extended = pair.extended};
  return {};
}

bool is_builtin(Type type) { return is_builtin(narrow(type)); }

Operator operator_of(Op op) {
  static constexpr std::array numbered{MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                                       MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  static_assert(numbered[static_cast<std::size_t>(Operator::maxloc) - 1] == MPI_MAXLOC);
  const MPI_Op handle = narrow(op);
  if (!is_builtin(handle)) return Operator::of_program;
  const auto found = std::ranges::find(numbered, handle);
  return found == numbered.end() ? Operator::other : static_cast<Operator>(found - numbered.begin() + 1);
}

}  // namespace mpigraft::abi
