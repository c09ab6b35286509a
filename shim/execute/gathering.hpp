// SPDX-License-Identifier: MIT
// Parts of a vector. The buffers of an allgather are seen as one vector of bytes, because its ranks may use different
// types.
#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/parts.hpp"
#include "shim/abi/arguments.hpp"

namespace mpigraft::execute {

/// The parts of a call's vector, in units of which an element has `units`. `firsts` has room for ranks + 1 numbers, and
/// is used if the parts differ in length.
Parts parts_of(const abi::Call& call, int ranks, std::int64_t units, std::int64_t* firsts);

/// Bytes from the start of the receive buffer to the vector, if the parts follow one another there without holes; else
/// nothing. `parts` are in bytes, as in all functions below.
std::optional<std::int64_t> offset_of_vector(const abi::Call& call, const Parts& parts, int ranks);

/// True if the bytes in the send buffer are this rank's part of the vector, so that nothing has to be packed.
bool sends_its_part(const abi::Call& call, std::int64_t part_bytes);

// The following functions pack and unpack, and return MPI error codes.

/// Packs the input into `part`, this rank's part of the vector.
int pack_input(const abi::Call& call, int rank, std::int64_t part_bytes, char* part);

/// Pack the parts in the receive buffer into `vector`, and unpack them from there.
int pack_vector(const abi::Call& call, const Parts& parts, int ranks, char* vector);
int unpack_vector(const abi::Call& call, const Parts& parts, int ranks, const char* vector);

}  // namespace mpigraft::execute
