// SPDX-License-Identifier: MIT
// The memory of another process on this node, which is copied once, from there to here, where the system permits it.
#pragma once

#include <cstdint>

namespace mpigraft::memory {

/// Bytes of a process.
struct Place {
  std::int32_t process = 0;
  const char* address = nullptr;
};

/// Bytes of this process, as others find them.
Place place_of(const char* address);

/// Copies `bytes` bytes into this process; false where the system refuses, or where there is no such memory.
bool read_memory(const Place& from, char* into, std::int64_t bytes);

/// A word that nobody guesses, by which others try whether they can read the memory of this process.
struct Sample {
  Place place;
  std::uint64_t word = 0;  // 0: nobody is to try
};

/// None where MPIGRAFT_ONE_COPY forbids it.
Sample own_sample();

/// Whether this process can read that word, and MPIGRAFT_ONE_COPY lets it.
bool can_read(const Sample& theirs);

}  // namespace mpigraft::memory
