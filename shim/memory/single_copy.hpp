// SPDX-License-Identifier: MIT
// Reads the memory of another process on this node, if the system permits it: long messages then take a single copy
// (cross-memory attach).
#pragma once

#include <cstdint>

namespace mpigraft::memory {

/// An address in a process of this node.
struct RemoteAddress {
  std::int32_t process = 0;
  const char* address = nullptr;
};

/// An address of this process, as other processes need it.
RemoteAddress remote_address_of(const char* address);

/// Copies `bytes` bytes into this process. Returns false if the system refuses or there is no such memory.
bool read_memory(const RemoteAddress& from, char* into, std::int64_t bytes);

/// A random word, by which other processes try whether they can read the memory of this one.
struct Sample {
  RemoteAddress at;
  std::uint64_t word = 0;  // 0: the others do not try
};

/// The sample of this process; its word is 0 if MPIGRAFT_SHARED forbids reading.
Sample sample_of_this_process();

/// True if this process can read the sample's word and MPIGRAFT_SHARED permits it.
bool can_read(const Sample& theirs);

}  // namespace mpigraft::memory
