// SPDX-License-Identifier: MIT
// Parts of a vector, and the buffers of an allgather as one vector of bytes: its ranks need not count in the same
// types.
#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/parts.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/abi/packed.hpp"

namespace mpigraft::operation {

/// The parts of a call's vector, in units of so many to an element. `firsts` is memory for one number more than there
/// are ranks, and is used where the parts differ in length.
Parts parts_of(const abi::Call& call, int ranks, std::int64_t units, std::int64_t* firsts);

/// Bytes from the start of the receive buffer to the vector, where the parts, so long in bytes, lie there one behind
/// the other and without holes; else nothing.
std::optional<std::int64_t> offset_of_vector(const abi::Call& call, const Parts& parts, int ranks);

/// Whether the input lies in the send buffer as the bytes that are its part of the vector.
bool sends_its_part(const abi::Call& call, std::int64_t part_bytes);

// The rest packs, and returns MPI error codes; `comm` as in abi::pack.

/// The input, as the rank's part of the vector.
int pack_input(const abi::Call& call, int rank, std::int64_t part_bytes, abi::ShiftedTypes& types, char* part,
               abi::Comm comm);

/// The receive buffer's parts, so long in bytes, as a vector, and back.
int pack_vector(const abi::Call& call, const Parts& parts, int ranks, abi::ShiftedTypes& types, char* vector,
                abi::Comm comm);
int unpack_vector(const abi::Call& call, const Parts& parts, int ranks, abi::ShiftedTypes& types, const char* vector,
                  abi::Comm comm);

}  // namespace mpigraft::operation
