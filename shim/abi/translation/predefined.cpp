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
  bool extended = false;
  std::uint8_t number = 0;
};

// Types without content are left to MPI, as MPI_CHAR, on which it defines no operator (MPI-4.0, 6.9.3), and
// MPI_LOGICAL, whose values the Fortran compiler chooses. A row's number is its position here, from 1.
const auto without_parts = [] {
  return std::to_array<Row>({{MPI_CHAR},
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
                             {MPI_2DOUBLE_PRECISION, Content::two_floating}});
};

const auto with_parts = [] {
  return std::to_array<Row>({{MPI_FLOAT_INT, Content::floating_and_index},
                             {MPI_DOUBLE_INT, Content::floating_and_index},
                             {MPI_LONG_DOUBLE_INT, Content::floating_and_index, true}});
};

/// All rows, sorted by handle. They are made at the first call, because Open MPI's handles are known only then.
const auto& by_handle() {
  static const auto sorted = [] {
    auto rows = without_parts();
    std::uint8_t number = 0;
    for (Row& row : rows) row.number = ++number;
    std::ranges::sort(rows, {}, &Row::handle);
    return rows;
  }();
  return sorted;
}

const Row* row_of(MPI_Datatype handle) {
  const auto& rows = by_handle();
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
  if (const Row* row = row_of(handle))
    return {
        .content = row->content, .extended = row->extended, .number = row->number, .bytes = size_of(type, row->number)};
  for (const Row& pair : with_parts())
    if (pair.handle == handle) return {.content = pair.content, .extended = pair.extended};
  return {};
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
