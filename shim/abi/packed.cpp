// SPDX-License-Identifier: MIT
#include "shim/abi/packed.hpp"

#include <cstring>
#include <memory>
#include <new>

#include "shim/abi/arguments.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::abi {

void ShiftedTypes::forget() {
  for (Kept& kept : kept_) {
    if (kept.shifted != Type::null) type_free(kept.shifted);
    kept = {};
  }
}

Type ShiftedTypes::of(Type type) {
  for (const Kept& kept : kept_)
    if (kept.type == type) return kept.shifted;
  Kept& kept = kept_[oldest_];
  oldest_ = (oldest_ + 1) % kept_.size();
  if (kept.shifted != Type::null) type_free(kept.shifted);
  kept.shifted = type_shifted(type, -place);
  kept.type = kept.shifted != Type::null ? type : Type::null;
  return kept.shifted;
}

Addressed::Addressed(ShiftedTypes& types, const void* buffer, std::int64_t count, Type datatype)
    : address(const_cast<void*>(buffer)), type(datatype) {
  if (count == 0 || !is_special(buffer)) return;
  // With a shifted type this address means `buffer` with the type that it was made from.
  address = moved(buffer, ShiftedTypes::place);
  type = types.of(datatype);
}

int pack(ShiftedTypes& types, const void* buffer, std::int64_t count, Type type, char* packed, std::int64_t bytes) {
  const Addressed from(types, buffer, count, type);
  return pack(from.address, count, from.type, packed, bytes, own_comm());
}

int unpack(ShiftedTypes& types, const char* packed, std::int64_t bytes, void* buffer, std::int64_t count, Type type) {
  const Addressed to(types, buffer, count, type);
  return unpack(packed, bytes, to.address, count, to.type, own_comm());
}

int pack(ShiftedTypes& types, const Datatype& type, const char* element_0, std::int64_t from, std::int64_t bytes,
         char* packed) {
  if (bytes == 0) return success;
  if (!type.contiguous)
    return pack(types, element_0 + from / type.size * type.extent, bytes / type.size, type.handle, packed, bytes);
  std::memcpy(packed, element_0 + from, static_cast<std::size_t>(bytes));
  return success;
}

int unpack(ShiftedTypes& types, const Datatype& type, const char* packed, char* element_0, std::int64_t from,
           std::int64_t bytes) {
  if (bytes == 0) return success;
  if (!type.contiguous)
    return unpack(types, packed, bytes, element_0 + from / type.size * type.extent, bytes / type.size, type.handle);
  std::memcpy(element_0 + from, packed, static_cast<std::size_t>(bytes));
  return success;
}

int copy(ShiftedTypes& types, const void* from, void* to, int count, Type type) {
  if (!is_special(from) && !is_special(to)) return copy(from, to, count, type, own_comm());
  return copy(moved(from, ShiftedTypes::place), moved(to, ShiftedTypes::place), count, types.of(type), own_comm());
}

int reduce_local(ShiftedTypes& types, const Datatype& type, const void* lower, void* upper, int count, Op op) {
  if (!is_special(lower) && !is_special(upper)) return reduce_local(lower, upper, count, type.handle, op);
  const std::int64_t span = (type.span(count) + 63) / 64 * 64;
  const std::unique_ptr<char[]> memory(new (std::nothrow) char[static_cast<std::size_t>(2 * span)]);
  if (!memory) return err_no_mem;
  char *const below = type.element_0(memory.get(), count), *const above = moved(below, span);
  int error = copy(types, lower, below, count, type.handle);
  if (error == success) error = copy(types, upper, above, count, type.handle);
  if (error == success) error = reduce_local(below, above, count, type.handle, op);
  return error == success ? copy(types, above, upper, count, type.handle) : error;
}

}  // namespace mpigraft::abi
