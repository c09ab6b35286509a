// SPDX-License-Identifier: MIT
#include "shim/abi/predefined.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "shim/abi/functions.hpp"
#include "shim/abi/translation/handles.hpp"
#include "shim/abi/translation/predefined.hpp"

namespace mpigraft::abi {
namespace {

struct Row {
  MPI_Datatype handle;
  Content content;
  std::uint8_t number = 0;  // of TypeFacts
};

/// The predefined types, sorted by handle. They are made at the first call, because Open MPI's handles are known only
/// then.
auto rows_by_handle() {
#define ROW(name, content, value, object) Row{name, Content::content},
  std::array rows{MPIGRAFT_PREDEFINED_TYPES(ROW)};
#undef ROW
  std::uint8_t made = 0;
  for (Row& row : rows)
    if (row.content != Content::floating_and_index) row.number = ++made;
  std::ranges::sort(rows, {}, &Row::handle);
  return rows;
}

const Row* row_of(MPI_Datatype handle) {
  static const auto rows = rows_by_handle();
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
  const Row* const row = row_of(narrow(type));
  if (!row) return {};
  return {row->content, row->number, row->number != 0 ? size_of(type, row->number) : 0};
}

bool is_extended(Type type) {
  const std::array all{MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX, MPI_LONG_DOUBLE_INT};
  return std::ranges::find(all, narrow(type)) != all.end();
}

bool is_builtin(Type type) {
  const Row* const row = row_of(narrow(type));
  return row && row->number != 0;
}

Operator operator_of(Op op) {
  const MPI_Op handle = narrow(op);
#define RETURN_IF_IT_IS(name, op, value, object) \
  if (handle == name) return Operator::op;
  MPIGRAFT_PREDEFINED_OPERATORS(RETURN_IF_IT_IS)
#undef RETURN_IF_IT_IS
  return Operator::of_program;
}

}  // namespace mpigraft::abi
