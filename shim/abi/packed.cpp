// SPDX-License-Identifier: MIT
#include "shim/abi/packed.hpp"

#include <cstring>

#include "shim/abi/pmpi.hpp"

namespace mpigraft {
namespace {

/// A buffer as MPI_Pack takes it.
struct Addressed {
  Addressed(ShiftedTypes& types, const void* buffer, MPI_Datatype datatype)
      : address(const_cast<void*>(buffer)), type(datatype) {
    if (buffer != MPI_BOTTOM) return;
    address = reinterpret_cast<void*>(ShiftedTypes::place);
    type = types.of(datatype);
  }

  void* address;
  MPI_Datatype type;
};

}  // namespace

ShiftedTypes::~ShiftedTypes() {
  for (Kept& kept : kept_)
    if (kept.shifted != MPI_DATATYPE_NULL) pmpi.Type_free(&kept.shifted);
}

MPI_Datatype ShiftedTypes::of(MPI_Datatype type) {
  for (const Kept& kept : kept_)
    if (kept.type == type) return kept.shifted;
  Kept& kept = kept_[oldest_];
  oldest_ = (oldest_ + 1) % kept_.size();
  if (kept.shifted != MPI_DATATYPE_NULL) pmpi.Type_free(&kept.shifted);
  constexpr MPI_Aint back = -place;
  kept.type =
      pmpi.Type_create_hindexed_block(1, 1, &back, type, &kept.shifted) == MPI_SUCCESS ? type : MPI_DATATYPE_NULL;
  pmpi.Type_commit(&kept.shifted);
  return kept.shifted;
}

int pack(ShiftedTypes& types, const void* buffer, std::int64_t count, MPI_Datatype type, char* packed,
         std::int64_t bytes, MPI_Comm comm) {
  MPI_Count position = 0;
  const Addressed from(types, buffer, type);
  return pmpi.Pack_c(from.address, count, from.type, packed, bytes, &position, comm);
}

int unpack(ShiftedTypes& types, const char* packed, std::int64_t bytes, void* buffer, std::int64_t count,
           MPI_Datatype type, MPI_Comm comm) {
  MPI_Count position = 0;
  const Addressed to(types, buffer, type);
  return pmpi.Unpack_c(packed, bytes, &position, to.address, count, to.type, comm);
}

int pack(ShiftedTypes& types, const Datatype& type, const char* element_0, std::int64_t from, std::int64_t bytes,
         char* packed, MPI_Comm comm) {
  if (bytes == 0) return MPI_SUCCESS;
  if (!type.contiguous)
    return pack(types, element_0 + from / type.size * type.extent, bytes / type.size, type.handle, packed, bytes, comm);
  std::memcpy(packed, element_0 + from, static_cast<std::size_t>(bytes));
  return MPI_SUCCESS;
}

int unpack(ShiftedTypes& types, const Datatype& type, const char* packed, char* element_0, std::int64_t from,
           std::int64_t bytes, MPI_Comm comm) {
  if (bytes == 0) return MPI_SUCCESS;
  if (!type.contiguous)
    return unpack(types, packed, bytes, element_0 + from / type.size * type.extent, bytes / type.size, type.handle,
                  comm);
  std::memcpy(element_0 + from, packed, static_cast<std::size_t>(bytes));
  return MPI_SUCCESS;
}

}  // namespace mpigraft
