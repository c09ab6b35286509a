// SPDX-License-Identifier: MIT
#include "shim/abi/datatype.hpp"

#include <cstring>
#include <memory>
#include <new>

#include "shim/abi/functions.hpp"
#include "shim/abi/predefined.hpp"

namespace mpigraft::abi {

namespace {

/// True if a type without holes is packed in memory order. Others than these may list their parts in another one.
bool is_in_order(Type handle) {
  if (is_builtin(handle)) return true;
  Type part = type_repeats(handle);
  if (part == Type::null) return false;
  const bool in_order = describe(part).contiguous;
  if (!type_is_predefined(part)) type_free(part);
  return in_order;
}

}  // namespace

Datatype describe(Type handle) {
  const std::int64_t size = type_size(handle);
  const Extent extent = type_extent(handle), true_extent = type_true_extent(handle);
  const bool contiguous = size > 0 && size == extent.length && is_in_order(handle);
  return {handle, size, extent.length, true_extent.lower_bound, true_extent.length, contiguous};
}

int pack(const Datatype& type, const char* element_0, std::int64_t from, std::int64_t bytes, char* packed) {
  if (bytes == 0) return success;
  if (!type.contiguous)
    return pack(element_0 + from / type.size * type.extent, bytes / type.size, type.handle, packed, bytes);
  std::memcpy(packed, element_0 + from, static_cast<std::size_t>(bytes));
  return success;
}

int unpack(const Datatype& type, const char* packed, char* element_0, std::int64_t from, std::int64_t bytes) {
  if (bytes == 0) return success;
  if (!type.contiguous)
    return unpack(packed, bytes, element_0 + from / type.size * type.extent, bytes / type.size, type.handle);
  std::memcpy(element_0 + from, packed, static_cast<std::size_t>(bytes));
  return success;
}

int reduce_local(const Datatype& type, const void* lower, void* upper, int count, Op op) {
  if (!is_special(lower) && !is_special(upper)) return reduce_local(lower, upper, count, type.handle, op);
  const std::int64_t span = (type.span(count) + 63) / 64 * 64;
  const std::unique_ptr<char[]> memory(new (std::nothrow) char[static_cast<std::size_t>(2 * span)]);
  if (!memory) return err_no_mem;
  char *const below = type.element_0(memory.get(), count), *const above = moved(below, span);
  int error = copy(lower, below, count, type.handle);
  if (error == success) error = copy(upper, above, count, type.handle);
  if (error == success) error = reduce_local(below, above, count, type.handle, op);
  return error == success ? copy(above, upper, count, type.handle) : error;
}

int numbers_in(Type handle) {
  const Content content = facts_of(handle).content;
  if (content == Content::complex || content == Content::two_floating) return 2;
  return content == Content::floating || content == Content::floating_and_index;
}

bool is_floating(Type handle) {
  const Content content = facts_of(handle).content;
  return content == Content::floating || content == Content::complex;
}

bool holds(Type handle, bool (*such)(Type)) {
  if (type_is_predefined(handle)) return such(handle);
  bool found = false;
  for (Type part : type_parts(handle)) {
    found = found || holds(part, such);
    if (!type_is_predefined(part)) type_free(part);
  }
  return found;
}

}  // namespace mpigraft::abi
