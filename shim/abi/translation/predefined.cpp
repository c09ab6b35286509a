// SPDX-License-Identifier: MIT
#include "shim/abi/predefined.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "shim/abi/functions.hpp"
#include "shim/abi/translation/handles.hpp"

namespace mpigraft::abi {
namespace {

struct Row {
  MPI_Datatype handle = {};
  Content content = Content::other;
  std::uint8_t number = 0;
};

constexpr std::size_t without_parts = 57;

/// The types without parts, sorted by handle. They are made at the first call, because Open MPI's handles are known
/// only then. Types without content are left to MPI, as MPI_CHAR, on which it defines no operator (MPI-4.0, 6.9.3), and
/// MPI_LOGICAL, whose values the Fortran compiler chooses.
std::array<Row, without_parts> rows_by_handle() {
  std::array<Row, without_parts> rows;
  std::size_t made = 0;
  const auto add = [&](Content content, std::initializer_list<MPI_Datatype> types) {
    for (const MPI_Datatype type : types) {
      rows.at(made) = {type, content, static_cast<std::uint8_t>(made + 1)};
      ++made;
    }
  };
  add(Content::other, {MPI_CHAR, MPI_CHARACTER, MPI_WCHAR, MPI_PACKED, MPI_LOGICAL, MPI_2INT, MPI_2INTEGER});
  add(Content::bytes, {MPI_BYTE});
  add(Content::boolean, {MPI_C_BOOL, MPI_CXX_BOOL});
  add(Content::signed_integer,
      {MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T,
       MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8, MPI_AINT, MPI_COUNT, MPI_OFFSET});
  add(Content::unsigned_integer, {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
                                  MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T});
  add(Content::floating,
      {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8, MPI_REAL16});
  add(Content::complex, {MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16, MPI_COMPLEX32,
                         MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_FLOAT_COMPLEX,
                         MPI_CXX_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX});
  add(Content::two_floating, {MPI_2REAL, MPI_2DOUBLE_PRECISION});
  std::ranges::sort(rows, {}, &Row::handle);
  return rows;
}

const Row* row_of(MPI_Datatype handle) {
  static const std::array<Row, without_parts> rows = rows_by_handle();
  const auto row = std::ranges::lower_bound(rows, handle, {}, &Row::handle);
  return row != rows.end() && row->handle == handle && handle != MPI_DATATYPE_NULL ? &*row : nullptr;
}

/// The size of an element in bytes. Asks MPI once for each type.
int size_of(Type type, std::uint8_t number) {
  static std::array<std::atomic<int>, UINT8_MAX + 1> known;
  int size = known[number].load(std::memory_order_relaxed);
  if (size == 0) known[number].store(size = static_cast<int>(type_size(type)), std::memory_order_relaxed);
  return size;
}

}  // namespace

TypeFacts facts_of(Type type) {
  const MPI_Datatype handle = narrow(type);
  if (const Row* row = row_of(handle)) return {row->content, row->number, size_of(type, row->number)};
  for (const MPI_Datatype pair : {MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_DOUBLE_INT})
    if (pair == handle) return {.content = Content::floating_and_index};
  return {};
}

bool is_extended(Type type) {
  const std::array all{MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX, MPI_LONG_DOUBLE_INT};
  return std::ranges::find(all, narrow(type)) != all.end();
}

bool is_builtin(Type type) { return row_of(narrow(type)) != nullptr; }

Operator operator_of(Op op) {
  const std::array numbered{MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                            MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  static_assert(numbered.size() == static_cast<std::size_t>(Operator::maxloc));
  const MPI_Op handle = narrow(op);
  const auto found = std::ranges::find(numbered, handle);
  if (found != numbered.end()) return static_cast<Operator>(found - numbered.begin() + 1);
  return handle == MPI_REPLACE || handle == MPI_NO_OP ? Operator::other : Operator::of_program;
}

}  // namespace mpigraft::abi
