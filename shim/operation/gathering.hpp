// SPDX-License-Identifier: MIT
// The buffers of an allgather as one vector of bytes: the ranks need not count in the same types.
#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/parts.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/abi/packed.hpp"

namespace mpigraft::operation {

/// Bytes from the start of the receive buffer to the vector, where the parts, so long in bytes, lie there one behind
/// the other and without holes; else nothing.
std::optional<std::int64_t> offset_of_vector(const abi::Call& call, const Parts& parts, int size);

/// Whether the input lies in the send buffer as the bytes that are its part of the vector.
bool sends_its_part(const abi::Call& call, std::int64_t part_bytes);

/// Packs the input to its place in the vector; an MPI error code.
int gather_input(const abi::Call& call, const Parts& parts, int rank, abi::ShiftedTypes& types, abi::Comm comm,
                 char* vector);

/// Unpacks the vector to where its parts go; an MPI error code.
int scatter_result(const abi::Call& call, const Parts& parts, int size, abi::ShiftedTypes& types, abi::Comm comm,
                   const char* vector);

}  // namespace mpigraft::operation
