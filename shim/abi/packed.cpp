// SPDX-License-Identifier: MIT
#include "shim/abi/packed.hpp"

#include <cstring>
#include <memory>
#include <new>

#include "shim/abi/arguments.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::abi {

int pack(const void* buffer, std::int64_t count, Type type, char* packed, std::int64_t bytes) {
  return pack(buffer, count, type, packed, bytes, own_comm());
}

int unpack(const char* packed, std::int64_t bytes, void* buffer, std::int64_t count, Type type) {
  return unpack(packed, bytes, buffer, count, type, own_comm());
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

int copy(const void* from, void* to, int count, Type type) { return copy(from, to, count, type, own_comm()); }

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

}  // namespace mpigraft::abi
