// SPDX-License-Identifier: MIT
// Elements in memory of the program, packed, copied and combined wherever they lie. All functions return MPI's error
// code, and use own_comm(), which must be there.
#pragma once

#include <cstdint>

#include "shim/abi/datatype.hpp"

namespace mpigraft::abi {

/// MPI_Pack of `count` elements into exactly `bytes` bytes, also from MPI_BOTTOM.
int pack(const void* buffer, std::int64_t count, Type type, char* packed, std::int64_t bytes);

/// MPI_Unpack of exactly `bytes` bytes into `count` elements, also to MPI_BOTTOM.
int unpack(const char* packed, std::int64_t bytes, void* buffer, std::int64_t count, Type type);

/// Pack or unpack whole elements that have `bytes` bytes when packed. The first of them follows `from` packed bytes of
/// elements that begin with the one at `element_0`. Contiguous elements are copied without MPI.
int pack(const Datatype& type, const char* element_0, std::int64_t from, std::int64_t bytes, char* packed);
int unpack(const Datatype& type, const char* packed, char* element_0, std::int64_t from, std::int64_t bytes);

/// Copies exactly the bytes that the type describes.
int copy(const void* from, void* to, int count, Type type);

/// MPI_Reduce_local. Where MPI would refuse an address, the operator gets copies of the operands, which need memory;
/// MPI_ERR_NO_MEM without it.
int reduce_local(const Datatype& type, const void* lower, void* upper, int count, Op op);

}  // namespace mpigraft::abi
