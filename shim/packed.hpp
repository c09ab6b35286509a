// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstdint>

namespace mpigraft {

/// MPI_Pack of `count` elements into exactly `bytes` bytes, also from MPI_BOTTOM; an MPI error code. `comm` is any
/// communicator whose errors are returned.
int pack(const void* buffer, std::int64_t count, MPI_Datatype type, char* packed, std::int64_t bytes, MPI_Comm comm);

/// The same back, also to MPI_BOTTOM.
int unpack(const char* packed, std::int64_t bytes, void* buffer, std::int64_t count, MPI_Datatype type, MPI_Comm comm);

}  // namespace mpigraft
