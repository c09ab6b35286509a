// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>

namespace mpigraft::execute {

/// Scratch memory that calls of one communicator reuse, because fresh pages of many megabytes cost more than the
/// messages.
class Scratch {
 public:
  /// The memory of one call until its end. Calls in flight at once have different memory.
  class Lease {
   public:
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      if (size_ > 0) from_.take_back(memory_, size_, most_kept_);
    }

    /// Null if there is no memory.
    char* memory() const { return memory_; }

   private:
    friend class Scratch;
    Lease(Scratch& from, char* memory, std::size_t size, std::size_t most_kept)
        : from_(from), memory_(memory), size_(size), most_kept_(most_kept) {}

    Scratch& from_;
    char* const memory_;
    const std::size_t size_, most_kept_;
  };

  Scratch() = default;
  ~Scratch() { release(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Leases at least `bytes` bytes. Memory of more than 4 MiB is freed afterwards if all communicators of this process
  /// together have more than `most_kept` bytes.
  Lease lease(std::size_t bytes, std::size_t most_kept) {
    if (bytes == 0) return {*this, nothing_, 0, 0};
    return some(bytes, most_kept);
  }

 private:
  Lease some(std::size_t bytes, std::size_t most_kept);
  void take_back(char* memory, std::size_t size, std::size_t most_kept);
  void release();

  static inline std::atomic<std::size_t> in_process_{0};
  alignas(64) static inline char nothing_[1];  // leases of no bytes are not null
  char* memory_ = nullptr;                     // memory that no call has now
  std::size_t size_ = 0;
};

}  // namespace mpigraft::execute
