// SPDX-License-Identifier: MIT
#include "shim/abi/packed.hpp"

#include <cstring>

#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::abi {
namespace {

/// A buffer as MPI_Pack takes it.
struct Addressed {
  Addressed(ShiftedTypes& types, const void* buffer, Type datatype)
      : address(const_cast<void*>(buffer)), type(datatype) {
    if (buffer != bottom) return;
    address = reinterpret_cast<void*>(ShiftedTypes::place);
    type = types.of(datatype);
  }

  void* address;
  Type type;
};

}  // namespace

ShiftedTypes::~ShiftedTypes() {
  for (Kept& kept : kept_)
    if (kept.shifted != Type::null) type_free(kept.shifted);
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

int pack(ShiftedTypes& types, const void* buffer, std::int64_t count, Type type, char* packed, std::int64_t bytes,
         Comm comm) {
  const Addressed from(types, buffer, type);
  return pack(from.address, count, from.type, packed, bytes, comm);
}

int unpack(ShiftedTypes& types, const char* packed, std::int64_t bytes, void* buffer, std::int64_t count, Type type,
           Comm comm) {
  const Addressed to(types, buffer, type);
  return unpack(packed, bytes, to.address, count, to.type, comm);
}

int pack(ShiftedTypes& types, const Datatype& type, const char* element_0, std::int64_t from, std::int64_t bytes,
         char* packed, Comm comm) {
  if (bytes == 0) return success;
  if (!type.contiguous)
    return pack(types, element_0 + from / type.size * type.extent, bytes / type.size, type.handle, packed, bytes, comm);
  std::memcpy(packed, element_0 + from, static_cast<std::size_t>(bytes));
  return success;
}

int unpack(ShiftedTypes& types, const Datatype& type, const char* packed, char* element_0, std::int64_t from,
           std::int64_t bytes, Comm comm) {
  if (bytes == 0) return success;
  if (!type.contiguous)
    return unpack(types, packed, bytes, element_0 + from / type.size * type.extent, bytes / type.size, type.handle,
                  comm);
  std::memcpy(element_0 + from, packed, static_cast<std::size_t>(bytes));
  return success;
}

}  // namespace mpigraft::abi
