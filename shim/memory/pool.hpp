// SPDX-License-Identifier: MIT
// Memory that the ranks of a node share, of which communicators of any of these ranks lease segments. A communicator
// that is freed returns its segment, and the next one of as many ranks reuses it as it is, so a set-up needs neither a
// system call nor fresh pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mpigraft::memory {

/// The most bytes of shared memory that a process maps. Further communicators exchange messages through MPI.
inline constexpr std::size_t max_shared_bytes = std::size_t{256} << 20;

/// The segment that a node's first rank offers to the others.
struct Offer {
  std::uint64_t pool = 0;          // its mark; 0: there is no segment
  std::size_t bytes = 0;           // of the pool
  char name[48] = "";              // of the pool's file while ranks map it; empty: the pool is not new
  std::int32_t part = 0;           // the segment's number in the pool
  std::uint64_t calls_before = 0;  // the number of the last call in the segment; 0: its pages may be missing
};

/// Its functions for the steps of a lease are called in this order, by the ranks of a communicator on one node; `ranks`
/// are theirs in MPI_COMM_WORLD.
class Pool {
 public:
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// True if a segment of as many ranks was given back. It may belong to others than those of a communicator.
  static bool has_free(int ranks);
  /// The first rank finds or makes a pool that all of them map, and takes a segment. `pool` is null if there is none.
  static Offer offer(std::span<const int> ranks, Pool*& pool);
  /// The others find or map that pool; null if that fails.
  static Pool* accept(const Offer& offer, std::span<const int> ranks);
  /// Each allocates what it writes or, of a ring, reads, so that these pages are near it. `own` counts from the first
  /// rank. Returns false if there is no memory.
  bool prepare(const Offer& offer, int ranks, int index) const;
  /// Each is told whether all are prepared. Returns the pool if they are.
  static Pool* settle(Pool* pool, const Offer& offer, bool all_prepared, bool is_first);

  char* segment(int part) const;
  /// Ends this rank's use of a segment. `calls` is the number of the last call in it. `clean`: no message is left in
  /// it.
  void give_back(int part, std::uint64_t calls, bool clean);

 private:
  struct Header;
  Pool(char* memory, std::size_t bytes, std::uint64_t mark, std::span<const int> ranks);

  static Pool* make(std::span<const int> ranks, Offer& offer);
  static Pool* map(int file, std::size_t bytes, std::uint64_t mark, std::span<const int> ranks);
  Header& header() const { return *reinterpret_cast<Header*>(memory_); }
  std::uint32_t free_part(int ranks) const;
  bool take(int ranks, Offer& offer);

  char* const memory_;
  const std::size_t bytes_;
  const std::uint64_t mark_;  // tells pools apart; not 0
  std::vector<int> members_;  // ranks of MPI_COMM_WORLD, in ascending order
  Pool* next_ = nullptr;
};

}  // namespace mpigraft::memory
