// SPDX-License-Identifier: MIT
#include "shim/memory/pool.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "shim/memory/segment.hpp"

namespace mpigraft::memory {
namespace {

constexpr std::size_t segments_of_first_size = 16;  // of a pool; those of other sizes share its room
constexpr std::uint32_t most_parts = 256;

std::atomic<std::size_t> mapped{0};
std::atomic<Pool*> newest{nullptr};  // a pool that is in the list stays there as long as the process

/// The longest file that the process may write; beyond that writing raises a signal.
std::size_t longest_file() {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 ? limit.rlim_cur : 0;
}

/// True if `bytes` more bytes take at most half of the free shared memory. The other half is for those who write
/// without asking, such as MPI.
bool has_room(std::size_t bytes) {
  struct statvfs system {};
  return statvfs("/dev/shm", &system) == 0 && system.f_bavail * system.f_frsize / 2 >= bytes;
}

#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;  // Linux 5.14
#endif

/// False on older kernels. There the first rank allocates the whole file of a pool when it makes it.
bool can_populate() {
  static const bool can = madvise(nullptr, 0, MADV_POPULATE_WRITE) == 0;
  return can;
}

/// Allocates all pages of a range, so that no later write to it can fail.
bool allocate(const char* begin, const char* end) {
  if (!can_populate()) return true;
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(begin) / page * page;
  constexpr int attempts = 20;  // a signal may interrupt it
  for (int i = 0; i < attempts; ++i) {
    if (madvise(reinterpret_cast<void*>(first), reinterpret_cast<std::uintptr_t>(end) - first, MADV_POPULATE_WRITE) ==
        0)
      return true;
    if (errno != EINTR && errno != EAGAIN) return false;
  }
  return false;
}

/// Gives a file its length, without pages if they can be allocated later.
bool lengthen(int file, std::size_t bytes) {
  const auto length = static_cast<off_t>(bytes);
  const bool whole = can_populate() || (has_room(bytes) && posix_fallocate(file, 0, length) == 0);
  return whole && ftruncate(file, length) == 0;
}

int open_existing(const Offer& offer) {
  const int file = shm_open(offer.name, O_RDWR, 0);
  struct stat found {};
  if (file >= 0 && fstat(file, &found) == 0 && static_cast<std::size_t>(found.st_size) == offer.bytes) return file;
  if (file >= 0) close(file);
  return -1;
}

/// Calls act() under a lock in shared memory, which is held for moments only, and returns what it does. Returns false
/// if the lock is held on and on.
bool under(SharedWord& lock, auto act) {
  constexpr int attempts = 100'000;
  for (int i = 0; i < attempts; ++i) {
    if (lock.exchange(1, std::memory_order_acquire) == 0) {
      const bool done = act();
      lock.store(0, std::memory_order_release);
      return done;
    }
    sched_yield();
  }
  return false;
}

}  // namespace

/// All zero at first. Only the rank that has the lock changes what is not atomic.
struct Pool::Header {
  struct Part {
    SharedWord users;    // ranks that have not given it back
    SharedWord spoiled;  // 1: messages may be left in it
    std::uint32_t ranks;
    std::uint64_t offset;
    std::atomic<std::uint64_t> calls;
  };
  alignas(stride_bytes) SharedWord lock;
  std::uint32_t parts;
  std::uint64_t used;
  Part part[most_parts];
};

constexpr std::size_t header_bytes = 16384;

Pool::Pool(char* memory, std::size_t bytes, std::uint64_t mark, std::span<const int> ranks)
    : memory_(memory), bytes_(bytes), mark_(mark), members_(ranks.begin(), ranks.end()) {
  std::ranges::sort(members_);
}

Pool::~Pool() {
  munmap(memory_, bytes_);
  mapped -= bytes_;
}

char* Pool::segment(int part) const { return memory_ + header().part[part].offset; }

/// The first segment of as many ranks that was given back; the number of segments: there is none. REQUIRES: this rank
/// has the lock.
std::uint32_t Pool::free_part(int ranks) const {
  const Header& shared = header();
  std::uint32_t i = 0;
  const auto is_free = [&](const Header::Part& part) {
    return part.ranks == static_cast<std::uint32_t>(ranks) && part.users.load(std::memory_order_acquire) == 0;
  };
  while (i < shared.parts && !is_free(shared.part[i])) ++i;
  return i;
}

bool Pool::has_free(int ranks) {
  for (Pool* pool = newest; pool; pool = pool->next_)
    if (under(pool->header().lock, [&] { return pool->free_part(ranks) < pool->header().parts; })) return true;
  return false;
}

/// Takes a segment of as many ranks that was given back, or else a fresh one. REQUIRES: this rank has the lock.
bool Pool::take(int ranks, Offer& offer) {
  Header& shared = header();
  const auto size = static_cast<std::uint32_t>(ranks);
  Header::Part* const part = shared.part + free_part(ranks);
  if (part == shared.part + shared.parts) {
    const std::size_t bytes = segment_bytes(ranks);
    if (shared.parts == most_parts || header_bytes + shared.used + bytes > bytes_ || !has_room(bytes)) return false;
    part->ranks = size, part->offset = header_bytes + shared.used;
    shared.used += bytes, ++shared.parts;
  } else if (part->spoiled.load(std::memory_order_relaxed) != 0) {
    std::memset(memory_ + part->offset, 0, segment_bytes(ranks));
    part->spoiled.store(0, std::memory_order_relaxed);
  }
  part->users.store(size, std::memory_order_relaxed);
  offer.pool = mark_, offer.bytes = bytes_;
  offer.part = static_cast<std::int32_t>(part - shared.part);
  offer.calls_before = part->calls.load(std::memory_order_relaxed);
  return true;
}

void Pool::give_back(int part, std::uint64_t calls, bool clean) {
  Header::Part& leased = header().part[part];
  if (!clean) leased.spoiled.store(1, std::memory_order_relaxed);
  std::uint64_t before = leased.calls.load(std::memory_order_relaxed);
  while (before < calls && !leased.calls.compare_exchange_weak(before, calls, std::memory_order_relaxed)) {
  }
  leased.users.fetch_sub(1, std::memory_order_acq_rel);
}

/// Maps a pool of these ranks, and closes its file.
Pool* Pool::map(int file, std::size_t bytes, std::uint64_t mark, std::span<const int> ranks) {
  void* const memory = mapped + bytes > max_shared_bytes
                           ? MAP_FAILED
                           : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, bytes, MADV_DONTFORK);
  mapped += bytes;
  try {
    return new Pool(static_cast<char*>(memory), bytes, mark, ranks);
  } catch (const std::bad_alloc&) {
    munmap(memory, bytes);
    mapped -= bytes;
    return nullptr;
  }
}

/// Makes a pool whose file other ranks can map by its name. The name is random, so that no other process can create the
/// file first.
Pool* Pool::make(std::span<const int> ranks, Offer& offer) {
  const std::size_t one = segment_bytes(static_cast<int>(ranks.size()));
  const std::size_t most = std::min(max_shared_bytes - std::min(mapped.load(), max_shared_bytes), longest_file());
  const std::size_t bytes = std::min(header_bytes + (can_populate() ? segments_of_first_size : 1) * one, most);
  unsigned long long random[3];
  if (bytes < header_bytes + one || getrandom(random, sizeof random, GRND_NONBLOCK) != sizeof random) return nullptr;
  std::snprintf(offer.name, sizeof offer.name, "/mpigraft-%016llx%016llx", random[0], random[1]);
  const int file = shm_open(offer.name, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file < 0) return nullptr;
  Pool* pool = nullptr;
  if (lengthen(file, bytes))
    pool = map(file, bytes, random[2] | 1, ranks);
  else
    close(file);
  if (pool && has_room(header_bytes) && allocate(pool->memory_, pool->memory_ + header_bytes)) return pool;
  shm_unlink(offer.name);
  delete pool;
  return nullptr;
}

Offer Pool::offer(std::span<const int> ranks, Pool*& pool) {
  static_assert(sizeof(Header) <= header_bytes);
  Offer offer;
  const auto covers = [&] {
    return std::ranges::all_of(ranks, [&](int rank) { return std::ranges::binary_search(pool->members_, rank); });
  };
  const auto take = [&] {
    return under(pool->header().lock, [&] { return pool->take(static_cast<int>(ranks.size()), offer); });
  };
  for (pool = newest; pool; pool = pool->next_)
    if (covers() && take()) return offer;
  pool = make(ranks, offer);
  if (!pool || take()) return offer;
  shm_unlink(offer.name);
  delete std::exchange(pool, nullptr);
  return {};
}

Pool* Pool::accept(const Offer& offer, std::span<const int> ranks) {
  if (offer.pool == 0) return nullptr;
  if (*offer.name == '\0') {
    Pool* pool = newest;
    while (pool && pool->mark_ != offer.pool) pool = pool->next_;
    return pool;
  }
  const int file = open_existing(offer);
  return file < 0 ? nullptr : map(file, offer.bytes, offer.pool, ranks);
}

bool Pool::prepare(const Offer& offer, int ranks, int index) const {
  if (offer.calls_before > 0) return true;
  const Segment parts(segment(offer.part), ranks);
  const auto all = [](const auto* first, const auto* end) {
    return allocate(reinterpret_cast<const char*>(first), reinterpret_cast<const char*>(end));
  };
  return all(&parts.buffers_of(index), &parts.buffers_of(index + 1)) &&
         all(&parts.doorbell_of(index), &parts.doorbell_of(index + 1)) &&
         all(&parts.ring(0, index), &parts.ring(0, index + 1)) &&
         (index >= broadcast_buffers_of(ranks) ||
          all(parts.broadcast_buffers() + index, parts.broadcast_buffers() + index + 1));
}

Pool* Pool::settle(Pool* pool, const Offer& offer, bool all_accepted, bool is_first) {
  const bool is_new = *offer.name != '\0';
  if (is_first && is_new) shm_unlink(offer.name);
  if (!pool) return nullptr;
  if (is_first && !all_accepted) pool->header().part[offer.part].users.store(0, std::memory_order_release);
  if (all_accepted && is_new) {
    pool->next_ = newest.load();
    while (!newest.compare_exchange_weak(pool->next_, pool)) {
    }
  }
  if (!all_accepted && is_new) delete pool;
  return all_accepted ? pool : nullptr;
}

}  // namespace mpigraft::memory
