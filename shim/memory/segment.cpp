// SPDX-License-Identifier: MIT
#include "shim/memory/segment.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/memory/peer_memory.hpp"
#include "shim/wait/waiter.hpp"

namespace mpigraft::memory {
namespace {

std::atomic<std::size_t> mapped{0};

struct Name {
  char text[48] = "";  // empty: none
};

/// A random name, so that no other process can create the file first. Empty if there are no random bytes.
Name unguessable() {
  std::uint64_t random[2];
  Name name;
  if (getrandom(random, sizeof random, GRND_NONBLOCK) == sizeof random)
    std::snprintf(name.text, sizeof name.text, "/mpigraft-%016llx%016llx", static_cast<unsigned long long>(random[0]),
                  static_cast<unsigned long long>(random[1]));
  return name;
}

/// True if a file of `bytes` bytes is within the process's limit, beyond which writing raises a signal, and takes at
/// most half of the free memory. The other half is for those who write without asking, such as MPI.
bool has_room(int file, std::size_t bytes) {
  rlimit limit{};
  struct statvfs system {};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= bytes && fstatvfs(file, &system) == 0 &&
         system.f_bavail * system.f_frsize / 2 >= bytes;
}

/// Allocates all pages of a part of the file, so that no later write can fail. A signal may interrupt posix_fallocate,
/// which then starts again.
bool allocate(int file, std::ptrdiff_t first, std::size_t bytes) {
  constexpr int attempts = 20;
  int error = EINTR;
  for (int i = 0; i < attempts && error == EINTR; ++i) error = posix_fallocate(file, first, static_cast<off_t>(bytes));
  return error == 0;
}

/// Creates a segment of `bytes` bytes and its name. Returns its file descriptor; -1, and an empty name, if that fails.
int create(Name& name, std::size_t bytes) {
  name = unguessable();
  const int file = *name.text ? shm_open(name.text, O_RDWR | O_CREAT | O_EXCL, 0600) : -1;
  if (file >= 0 && has_room(file, bytes) && ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  if (file >= 0) {
    shm_unlink(name.text);
    close(file);
  }
  name = {};
  return -1;
}

int open_existing(const Name& name, std::size_t bytes) {
  const int file = *name.text ? shm_open(name.text, O_RDWR, 0) : -1;
  struct stat found {};
  if (file >= 0 && fstat(file, &found) == 0 && static_cast<std::size_t>(found.st_size) == bytes) return file;
  if (file >= 0) close(file);
  return -1;
}

/// Waits for one message in the way of all our waits.
void exchange(abi::Request request) {
  abi::Status status;
  wait::wait_all(1, &request, &status);
}

template <class T>
void send(const T& what, int to, abi::Comm comm) {
  abi::Request request;
  abi::isend(&what, sizeof what, abi::type_byte, to, 0, comm, request);
  exchange(request);
}

/// Receives `what`, which is unchanged if MPI fails.
template <class T>
void receive(T& what, int from, abi::Comm comm) {
  abi::Request request;
  abi::irecv(&what, sizeof what, abi::type_byte, from, 0, comm, request);
  exchange(request);
}

/// Broadcasts the first rank's value on the node. Sends messages, because native collectives take long on a crowded
/// node.
template <class T>
void tell_all(T& what, const NodeRanks& node) {
  if (node.own != 0) return receive(what, node.first, node.comm);
  for (int to = 1; to < node.size; ++to) send(what, node.first + to, node.comm);
}

/// Facts that the node's first rank broadcasts.
struct Invitation {
  Name name;
  Sample sample;
};

struct Vote {
  bool mapped = false, crowded = false, lends = false;
};

/// Combines the ranks' votes: all have mapped the segment, any is crowded, all can read the memory of the first rank.
Vote agree(Vote mine, const NodeRanks& node) {
  if (node.own != 0) send(mine, node.first, node.comm);
  for (int from = 1; node.own == 0 && from < node.size; ++from) {
    Vote theirs;
    receive(theirs, node.first + from, node.comm);
    mine = {.mapped = mine.mapped && theirs.mapped,
            .crowded = mine.crowded || theirs.crowded,
            .lends = mine.lends && theirs.lends};
  }
  tell_all(mine, node);
  return mine;
}

}  // namespace

Segment::Segment(const NodeRanks& node, bool ready) : size_(node.size) {
  const std::size_t bytes = segment_bytes(size_);
  const bool wanted = ready && mapped + bytes <= max_shared_bytes;
  Invitation from_first{.name = {}, .sample = own_sample()};
  Name& name = from_first.name;
  int file = -1;
  if (node.own == 0 && wanted) file = create(name, bytes);
  tell_all(from_first, node);
  if (node.own != 0 && wanted) file = open_existing(name, bytes);
  if (file >= 0) map(file, node.own);
  const bool lends = memory_ && can_read(from_first.sample);
  const Vote agreed = agree({.mapped = memory_ != nullptr, .crowded = wait::crowded(), .lends = lends}, node);
  crowded_ = agreed.crowded;
  lends_ = agreed.lends;
  if (node.own == 0 && *name.text) shm_unlink(name.text);
  if (!agreed.mapped) unmap();
}

Segment::~Segment() { unmap(); }

/// Maps the segment and allocates this rank's part; unmaps it if that fails. Child processes do not inherit the
/// mapping.
void Segment::map(int file, int own) {
  const std::size_t bytes = segment_bytes(size_);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) {
    madvise(memory, bytes, MADV_DONTFORK);
    memory_ = static_cast<char*>(memory);
    mapped += bytes;
    if (!allocate_part_of(own, file)) unmap();
  }
  close(file);
}

/// Allocates the part that this rank writes, and of the rings those that it reads. The kernel takes pages from memory
/// near the process that allocates them.
bool Segment::allocate_part_of(int rank, int file) const {
  const auto allocated = [&](const auto* first, const auto* end) {
    const auto bytes = reinterpret_cast<const char*>(end) - reinterpret_cast<const char*>(first);
    return allocate(file, reinterpret_cast<const char*>(first) - memory_, static_cast<std::size_t>(bytes));
  };
  return allocated(&slots_of(rank), &slots_of(rank + 1)) && allocated(&bell_of(rank), &bell_of(rank + 1)) &&
         allocated(&ring(0, rank), &ring(0, rank + 1)) &&
         (rank >= boards_of(size_) || allocated(boards() + rank, boards() + rank + 1));
}

void Segment::unmap() {
  if (!memory_) return;
  munmap(memory_, segment_bytes(size_));
  mapped -= segment_bytes(size_);
  memory_ = nullptr;
}

}  // namespace mpigraft::memory
