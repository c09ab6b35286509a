// SPDX-License-Identifier: MIT
#include "shim/packed.hpp"

#include "shim/pmpi.hpp"

namespace mpigraft {
namespace {

/// A buffer for MPI_Pack, which takes no MPI_BOTTOM: the same bytes as seen from another address.
struct Addressed {
  Addressed(const void* address, MPI_Datatype datatype)
      : buffer(const_cast<void*>(address)), type(datatype), shifted(buffer == MPI_BOTTOM) {
    if (!shifted) return;
    constexpr MPI_Aint place = 4096;  // any that is not null: nothing is read there
    constexpr MPI_Aint back = -place;
    buffer = reinterpret_cast<void*>(place);
    pmpi.Type_create_hindexed_block(1, 1, &back, datatype, &type);
    pmpi.Type_commit(&type);
  }
  ~Addressed() {
    if (shifted) pmpi.Type_free(&type);
  }
  Addressed(const Addressed&) = delete;
  Addressed& operator=(const Addressed&) = delete;

  void* buffer;
  MPI_Datatype type;
  const bool shifted;
};

}  // namespace

int pack(const void* buffer, std::int64_t count, MPI_Datatype type, char* packed, std::int64_t bytes, MPI_Comm comm) {
  MPI_Count position = 0;
  const Addressed from(buffer, type);
  return pmpi.Pack_c(from.buffer, count, from.type, packed, bytes, &position, comm);
}

int unpack(const char* packed, std::int64_t bytes, void* buffer, std::int64_t count, MPI_Datatype type, MPI_Comm comm) {
  MPI_Count position = 0;
  const Addressed to(buffer, type);
  return pmpi.Unpack_c(packed, bytes, &position, to.buffer, count, to.type, comm);
}

}  // namespace mpigraft
